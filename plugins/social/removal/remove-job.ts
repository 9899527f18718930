// Deletes a live post on all its networks at the same time. If a network refuses, its target stays live and gets an error.

import { defineJob, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import { withNetwork } from '../networks/call-network.ts';
import { isSocialError, type SocialError } from '../port/index.ts';
import { showPost, targetsOf } from '../present.ts';
import { settledStatusOf } from '../publication/end-target.ts';
import { afterLimit, retryDelaysMs } from '../publication/times.ts';
import type { TargetError } from '../schema.ts';
import { movePost } from '../states.ts';
import { type AccountRow, accountRows, postRows, type SocialPostRow, type TargetRow, targetRows } from '../tables.ts';
import { endRemovalKind, isVisible, removePostKind } from './start.ts';

/** The time limit of one network, in milliseconds. */
const removalTimeoutMs = 60_000;

interface LiveTarget {
  readonly target: TargetRow;
  readonly account: AccountRow | undefined;
}

/** Whether the target must still be deleted. An error means that its network has refused. */
const isPendingRemoval = (target: TargetRow): boolean => isVisible(target) && target.error === null;

async function loadLive(
  ctx: JobContext,
  postId: string,
): Promise<{ post: SocialPostRow; live: LiveTarget[] } | undefined> {
  return ctx.read(async ({ trx }) => {
    const post = await postRows.find(trx, postId);
    if (post?.status !== 'deleting') return undefined;
    const targets = (await targetsOf(trx, [post])).get(postId) ?? [];
    const live = targets.filter(isPendingRemoval).map(async (target) => ({
      target,
      account: target.account_ref === null ? undefined : await accountRows.find(trx, target.account_ref),
    }));
    return { post, live: await Promise.all(live) };
  });
}

/** The time of the next attempt; undefined if the network refuses permanently or the attempts are used up. */
function nextTry(error: SocialError, attempts: number, now: number): number | undefined {
  if (error.fault === 'rejected' || error.fault === 'disconnected') return undefined;
  const delay = retryDelaysMs[attempts];
  if (delay === undefined) return undefined;
  return error.fault === 'limited' ? afterLimit(now, error.until) : now + delay;
}

async function removeOne(
  ctx: JobContext,
  post: SocialPostRow,
  { target, account }: LiveTarget,
): Promise<number | undefined> {
  const name = ctx.services.socialChannels.rulesOf(target.channel_id)?.name ?? target.channel_id;
  const refuse = (error: TargetError) =>
    ctx.checkpoint(({ trx }) => targetRows.update(trx, target.id, { error })).then(() => undefined);
  if (account === undefined)
    return refuse({
      code: 'delete_failed',
      message: `The account on ${name} is not connected any more. Delete the post there.`,
    });
  const { channel_id: channelId, parts, external_id: externalId } = target;
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(removalTimeoutMs)]);
  const live = {
    postId: post.id,
    accountRef: account.id,
    externalAccountId: account.external_id,
    settings: post.content.channelSettings[channelId] ?? {},
    externalId: externalId ?? parts[0] ?? '',
    parts,
  };
  try {
    if (!ctx.sandbox)
      await withNetwork(ctx, account.connector_id, async (adapter) => {
        await adapter.remove?.(live, { signal, now: ctx.ports.now() });
      });
    await ctx.checkpoint(({ trx }) =>
      targetRows.update(trx, target.id, { status: 'deleted', error: null, figures_due_at: null }),
    );
    return undefined;
  } catch (error) {
    if (!isSocialError(error) || ctx.signal.aborted) throw error;
    const next = nextTry(error, target.attempts, ctx.ports.now());
    if (next === undefined) {
      const code = error.fault === 'disconnected' ? 'account_disconnected' : 'delete_failed';
      return refuse({ code, message: `${name} did not delete the post: ${beginning(error.message, 1_000)}` });
    }
    await ctx.checkpoint(({ trx }) => targetRows.update(trx, target.id, { attempts: target.attempts + 1 }));
    return next;
  }
}

/** Ends the removal: the post is deleted if every network confirmed it, otherwise live again. */
const endRemoval = (ctx: JobContext, postId: string) => async (tx: TransactionContext) => {
  const { trx, now } = tx;
  const post = await postRows.lock(trx, postId);
  if (post?.status !== 'deleting') return;
  const targets = (await targetsOf(trx, [post])).get(postId) ?? [];
  if (!targets.some(isVisible)) {
    const deletedPost = await movePost(tx, post, { to: 'deleted', set: { deleted_at: now } });
    await ctx.services.assets.use(tx, { kind: 'social_post', id: postId, isPublic: false }, []);
    tx.emit('social.post.deleted', await showPost(tx, deletedPost));
    return;
  }
  await movePost(tx, post, { to: settledStatusOf(targets) });
};

export const removePost = defineJob({
  kind: removePostKind,
  payload: z.object({ postId: z.string() }),
  lane: 'outbound',
  retryDelaysMs,
  timeoutMs: removalTimeoutMs + 60_000,

  async handler(ctx, { postId }) {
    const loaded = await loadLive(ctx, postId);
    if (loaded === undefined) return ctx.complete();
    const tries = await Promise.all(loaded.live.map((each) => removeOne(ctx, loaded.post, each)));
    const next = tries.filter((at) => at !== undefined);
    if (next.length > 0)
      return ctx.retryAt(Math.min(...next), 'a network has not deleted the post yet', undefined, { untried: true });
    return ctx.complete(endRemoval(ctx, postId));
  },

  async exhausted(ctx, { postId }, reason) {
    ctx.enqueue({ kind: endRemovalKind, payload: { postId, reason: beginning(reason, 500) } });
  },
});

/** Ends a removal whose job has used up its attempts: if a part is still visible, the post is live again. */
export const recordAbandonedRemovalJob = defineJob({
  kind: endRemovalKind,
  payload: z.object({ postId: z.string(), reason: z.string() }),

  async handler(ctx, { postId, reason }) {
    ctx.log.error({ postId, reason }, 'removal of a social post given up');
    await ctx.complete(async (tx) => {
      if ((await postRows.lock(tx.trx, postId))?.status !== 'deleting') return;
      const message = 'The deletion was given up. Delete the post again, or on the network itself.';
      for (const target of await targetRows.findIn(tx.trx, 'post_id', [postId], 'update'))
        if (isPendingRemoval(target))
          await targetRows.change(tx.trx, target, { error: { code: 'delete_failed', message } });
      await endRemoval(ctx, postId)(tx);
    });
  },
});
