// Loads the target that a job publishes, with its post, account and network, and the reason if it can no longer be published.
import type { JobContext } from '../../../core/index.ts';
import { findMedia } from '../content/media.ts';
import { targetMedia } from '../media/target-media.ts';
import type { SocialNetwork, SocialTarget } from '../port/index.ts';
import { settingProblems } from '../problems/settings.ts';
import type { TargetError } from '../schema.ts';
import { type AccountRow, accountRows, postRows, type SocialPostRow, type TargetRow, targetRows } from '../tables.ts';
import { targetTexts } from '../text/build.ts';

/** A target to publish. */
export interface TargetPublication {
  readonly target: TargetRow;
  readonly post: SocialPostRow;
  readonly account: AccountRow;
  readonly network: SocialNetwork;
  /** The content without `startedAt` and `key`, which each attempt adds. */
  readonly content: Omit<SocialTarget, 'key' | 'startedAt'>;
}

/** The publication; an error if it cannot be published; undefined if there is nothing left to publish. */
export async function loadPublication(
  ctx: JobContext,
  targetId: string,
): Promise<TargetPublication | TargetError | undefined> {
  const loaded = await ctx.read(async (tx) => {
    const target = await targetRows.find(tx.trx, targetId);
    const post = target === undefined ? undefined : await postRows.find(tx.trx, target.post_id);
    if (target?.status !== 'publishing' || post?.status !== 'publishing') return undefined;
    const account = target.account_ref === null ? undefined : await accountRows.find(tx.trx, target.account_ref);
    return { target, post, account, assets: await findMedia(tx, post.content) };
  });
  if (loaded === undefined) return undefined;
  const { target, post, account, assets } = loaded;
  const network =
    account === undefined ? undefined : ctx.services.socialChannels.networkOf(target.channel_id, account.transport);
  if (account === undefined || network === undefined)
    return { code: 'account_missing', message: 'The account of this channel is not connected any more.' };
  const [setting] = settingProblems(network.rules, post.content, account);
  if (setting !== undefined) return { code: setting.code, message: setting.message };
  const media = targetMedia(ctx, target.id, post.content, assets);
  if (media === undefined) return { code: 'asset_not_found', message: 'An attachment of the post was deleted.' };
  const content = {
    postId: post.id,
    accountRef: account.id,
    externalAccountId: account.external_id,
    ...targetTexts(network.rules, post.content),
    media,
  };
  return { target, post, account, network, content };
}
