// The targets of a post: one row per channel.
import { coreErrors, type ServiceContext, type TransactionContext, type WorkspaceHandle } from '../../../core/index.ts';
import { isVisible } from '../removal/start.ts';
import { type SocialPostRow, stepRows, type TargetRow, targetRows } from '../tables.ts';
import type { EvaluatedContent } from './evaluate.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** 22 letters and digits that identify a publication on networks where the client chooses keys. */
export const newPublishKey = ({ ports }: ServiceContext): string =>
  [...ports.randomness.bytes(22)].map((byte) => letters[byte % letters.length]).join('');

/** Inserts the targets of a post. `keptChannels`: channels that already have a target. */
export async function addTargets(
  context: TransactionContext,
  post: Pick<SocialPostRow, 'id' | 'created_at'>,
  { content, accounts }: Pick<EvaluatedContent, 'content' | 'accounts'>,
  keptChannels: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const [position, channelId] of content.channels.entries()) {
    if (keptChannels.has(channelId)) continue;
    const row: Omit<TargetRow, 'sandbox'> = {
      id: context.newId('sot'),
      post_id: post.id,
      position,
      channel_id: channelId,
      account_ref: accounts.get(channelId)?.id ?? null,
      status: 'pending',
      external_id: null,
      url: null,
      parts: [],
      attempts: 0,
      error: null,
      publish_key: newPublishKey(context),
      started_at: null,
      probes: 0,
      limited_since: null,
      published_at: null,
      figures_due_at: null,
      created_at: post.created_at,
    };
    await targetRows.insert(context.trx, row as TargetRow);
  }
}

/** Whether an earlier publication may have left something visible, so that the next publication has to continue it. */
async function hasBegun(handle: WorkspaceHandle, { id, status, parts }: TargetRow): Promise<boolean> {
  return status === 'unknown' || parts.length > 0 || (await stepRows.count(handle, { target_id: id }, 1)) > 0;
}

/** The error for a change that would drop a channel or account on which a part of an interrupted thread is live. */
const livePartError = ({ id }: SocialPostRow, { channel_id: channelId, parts }: TargetRow) =>
  coreErrors.state_conflict({
    reason: `A part of the post ${id} is live on ${channelId} (${parts.join(', ')}): its channel and its account stay. Delete the post with fromProvider=true, or publish the rest.`,
  });

/**
 * Replaces the targets of a changed post, except targets that may have left something visible. @throws state_conflict if the change
 * would drop a target that people can see
 */
export async function replaceTargets(
  context: TransactionContext,
  post: SocialPostRow,
  earlierTargets: readonly TargetRow[],
  evaluated: Pick<EvaluatedContent, 'content' | 'accounts'>,
): Promise<void> {
  const keptChannels = new Set<string>();
  for (const target of earlierTargets) {
    const { id, channel_id: channelId, account_ref: ref } = target;
    const position = evaluated.content.channels.indexOf(channelId);
    const isKept =
      position >= 0 && evaluated.accounts.get(channelId)?.id === ref && (await hasBegun(context.trx, target));
    if (!isKept) {
      if (isVisible(target)) throw livePartError(post, target);
      await targetRows.remove(context.trx, id);
    } else {
      keptChannels.add(channelId);
      await targetRows.update(context.trx, id, { position });
    }
  }
  await addTargets(context, post, evaluated, keptChannels);
}

/** Stores the current accounts in targets that are not published, if they have another account or none. */
export async function settleAccounts(
  { trx }: TransactionContext,
  targets: readonly TargetRow[],
  { accounts }: Pick<EvaluatedContent, 'accounts'>,
): Promise<void> {
  for (const { id, channel_id: channelId, account_ref: storedRef, status } of targets) {
    const account = accounts.get(channelId)?.id ?? null;
    if (status !== 'published' && account !== storedRef) await targetRows.update(trx, id, { account_ref: account });
  }
}
