// Lets approval policies hold posts: defines the content that people would read on each channel.

import type { ContentJson, ContentKind, PublishableContent, TransactionContext } from '../../core/index.ts';
import { shortened } from '../../core/unstable.ts';
import { findMedia } from './content/media.ts';
import { socialPostKindId, targetsOf } from './present.ts';
import { viewPost } from './preview/view.ts';
import { rulesFor } from './problems/problems-of.ts';
import { movePost } from './states.ts';
import { accountRows, postRows, targetRows } from './tables.ts';
import { targetTexts } from './text/build.ts';

const nameLimit = 60;

/** The beginning of a text, on one line. */
function nameOf(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return shortened(line, nameLimit);
}

/** The content kind with which an approval policy can hold posts. */
export const socialPostContentKind: ContentKind = {
  kind: socialPostKindId,
  targetKind: 'post',
  async read(context, targetId): Promise<PublishableContent | undefined> {
    const post = await postRows.find(context.trx, targetId);
    if (post === undefined || post.status === 'deleted') return undefined;
    const { socialChannels: channels } = context.services;
    const { content } = post;
    const targets = (await targetsOf(context.trx, [post])).get(post.id) ?? [];
    const refs = targets.flatMap(({ account_ref: ref }) => (ref === null ? [] : [ref]));
    const accounts = new Map((await accountRows.findIn(context.trx, 'id', refs)).map((row) => [row.id, row]));
    const assets = await findMedia(context, content);
    const shown = targets.map(({ channel_id: channelId, account_ref: accountRef, status }) => {
      const rules = rulesFor(channels, channelId, accountRef === null ? undefined : accounts.get(accountRef));
      const texts = rules === undefined ? undefined : targetTexts(rules, content);
      const channel = { accountRef, texts: texts?.texts ?? [], settings: texts?.settings ?? {} };
      return { channelId, channel, isLive: status === 'published' };
    });
    const contentOf = (of: typeof shown): ContentJson => ({
      channels: Object.fromEntries(of.map(({ channelId, channel }) => [channelId, channel])),
      media: content.media.map(({ kind, alt, assetId }) => ({
        kind,
        alt,
        sha256: assets.get(assetId)?.sha256 ?? null,
      })),
      linkUrl: content.linkUrl,
    });
    const live = shown.filter(({ isLive }) => isLive);
    return {
      name: nameOf(content.caption || targets.map(({ channel_id: channelId }) => channelId).join(', ')),
      content: contentOf(shown),
      before: live.length === 0 ? null : contentOf(live),
    };
  },
  view: viewPost,
  async restore(ctx: TransactionContext, targetId: string) {
    const post = await postRows.lock(ctx.trx, targetId);
    if (post?.status !== 'pending_approval') return;
    const isLive = (await targetRows.count(ctx.trx, { post_id: post.id, status: 'published' }, 1)) > 0;
    const set = { approval_id: null, scheduled_at: null };
    await movePost(ctx, post, { to: isLive ? 'partially_published' : 'ready', set });
  },
};
