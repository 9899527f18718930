// Ends a target and, after its last target, the post: sets the status, settles the credits and emits the event. No other file sets a post
// to published, partially published or failed.
import type { TransactionContext } from '../../../core/index.ts';
import { removeConvertedFiles } from '../media/converted-files.ts';
import { nextCollectionAt } from '../metrics/times.ts';
import type { PublishedPost } from '../port/index.ts';
import { showPost, targetsOf } from '../present.ts';
import { partPrices } from '../price.ts';
import { rulesFor } from '../problems/problems-of.ts';
import type { TargetError } from '../schema.ts';
import { movePost } from '../states.ts';
import { accountRows, postRows, type SocialPostRow, type TargetRow, targetRows } from '../tables.ts';

/** The end of a target. */
export type TargetResult =
  | { readonly status: 'published'; readonly post: PublishedPost }
  | { readonly status: 'failed' | 'unknown'; readonly error: TargetError; readonly parts?: readonly string[] };

const runningStatuses: ReadonlySet<TargetRow['status']> = new Set(['pending', 'publishing']);

/** The price of the visible parts of all targets. */
async function priceOf({ services, trx }: TransactionContext, post: SocialPostRow, targets: readonly TargetRow[]) {
  let sum = 0;
  for (const { channel_id: channelId, account_ref: ref, parts } of targets) {
    const account = ref === null ? undefined : await accountRows.find(trx, ref);
    const rules = rulesFor(services.socialChannels, channelId, account);
    if (rules === undefined || account === undefined) continue;
    const prices = partPrices(services.socialRules.prices, rules, account.transport, post.content);
    for (const price of prices.slice(0, parts.length)) sum += price;
  }
  return sum;
}

/**
 * Ends the credit hold by charging for the parts that became visible since it began, but never more than was held, even if prices have
 * risen. Returns the total credits that were charged for the post.
 */
async function settle(ctx: TransactionContext, post: SocialPostRow, targets: readonly TargetRow[]) {
  if (post.hold_id === null) return post.charged;
  const visiblePrice = await priceOf(ctx, post, targets);
  const dueCredits = Math.min(post.held, Math.max(0, visiblePrice - post.charged));
  const isSettled = dueCredits === 0 ? await ctx.release(post.hold_id) : await ctx.settle(post.hold_id, dueCredits);
  return isSettled ? post.charged + dueCredits : post.charged;
}

const outcomes = {
  published: 'social.post.published',
  partially_published: 'social.post.partially_published',
  failed: 'social.post.failed',
} as const;

/** The final status of a post whose targets have ended. */
function outcomeOf(targets: readonly TargetRow[]): keyof typeof outcomes {
  const live = targets.filter(({ status }) => status === 'published').length;
  if (live === 0) return 'failed';
  return live === targets.length ? 'published' : 'partially_published';
}

/**
 * The status of a post while the networks delete it, and after a network refused to delete it. A post that was deleted on one network
 * and is not live on any other counts as partially published.
 */
export function settledStatusOf(targets: readonly TargetRow[]): keyof typeof outcomes {
  const outcome = outcomeOf(targets);
  const wasLive = targets.some(({ status }) => status === 'deleted');
  return wasLive && outcome === 'failed' ? 'partially_published' : outcome;
}

/** Ends a post whose targets have ended. The post is locked. */
export async function endPost(ctx: TransactionContext, post: SocialPostRow): Promise<void> {
  const { trx, now } = ctx;
  const targets = (await targetsOf(trx, [post])).get(post.id) ?? [];
  const outcome = outcomeOf(targets);
  const charged = await settle(ctx, post, targets);
  const publishedColumns = outcome === 'failed' ? {} : { published_at: now };
  const endedPost = await movePost(ctx, post, {
    to: outcome,
    set: { hold_id: null, held: 0, charged, ...publishedColumns },
  });
  ctx.emit(outcomes[outcome], await showPost(ctx, endedPost));
}

function changesOf(ctx: TransactionContext, target: TargetRow, end: TargetResult): Partial<TargetRow> {
  if (end.status !== 'published') {
    const parts = end.parts ?? target.parts;
    return { status: end.status, error: end.error, parts, external_id: parts[0] ?? null, limited_since: null };
  }
  const { externalId, url, parts = [externalId] } = end.post;
  const networks = ctx.services.socialChannels.networks.filter(({ rules }) => rules.channelId === target.channel_id);
  const hasFigures = !ctx.sandbox && networks.some(({ capabilities }) => capabilities.analytics);
  return {
    status: 'published',
    external_id: externalId.slice(0, 300),
    url,
    parts,
    error: null,
    limited_since: null,
    published_at: ctx.now,
    figures_due_at: hasFigures ? nextCollectionAt(ctx.now, ctx.now) : null,
  };
}

/** Ends a running target, and its post if no other target is running. */
export async function finishTarget(ctx: TransactionContext, targetId: string, end: TargetResult): Promise<void> {
  const { trx } = ctx;
  const unlockedTarget = await targetRows.find(trx, targetId);
  // Lock the post first: if two targets end at the same time, the second one ends the post.
  const post = unlockedTarget === undefined ? undefined : await postRows.lock(trx, unlockedTarget.post_id);
  const target = await targetRows.lock(trx, targetId);
  if (post === undefined || target === undefined || !runningStatuses.has(target.status)) return;
  await targetRows.change(trx, target, changesOf(ctx, target, end));
  await removeConvertedFiles(ctx, targetId);
  const allTargets = await targetRows.findIn(trx, 'post_id', [post.id]);
  if (
    post.status === 'publishing' &&
    allTargets.every(({ id, status }) => id === targetId || !runningStatuses.has(status))
  )
    await endPost(ctx, post);
}

/** Fails a scheduled post, with the same error on every target that is not published or deleted. The post is locked. */
export async function failPost(ctx: TransactionContext, post: SocialPostRow, error: TargetError): Promise<void> {
  const { trx } = ctx;
  for (const target of await targetRows.findIn(trx, 'post_id', [post.id], 'update'))
    if (target.status !== 'published' && target.status !== 'deleted')
      await targetRows.change(trx, target, { status: 'failed', error });
  await endPost(ctx, post);
}
