// Starts a publication: enqueues one job for each target that is not live. Called by the operations that publish, and by the job of a
// scheduled post.
import type { TransactionContext } from '../../../core/index.ts';
import { movePost } from '../states.ts';
import { type SocialPostRow, type TargetRow, targetRows } from '../tables.ts';
import { publishTargetKind, simulateKind } from './times.ts';

const endedStatuses: ReadonlySet<TargetRow['status']> = new Set(['published', 'deleted', 'publishing']);

/** Options of a publication. */
export interface PublicationOptions {
  /** If the outcome of an earlier publication is still unknown, publishes again. (Default: false) */
  readonly retryUnknown?: boolean;
}

/** The payload of a job that publishes one target. */
export interface PublishTargetPayload {
  readonly targetId: string;
  readonly retryUnknown?: boolean;
}

/** Moves a post and its targets to `publishing` and enqueues their jobs. The caller has made the credit hold `hold_id`. */
export async function startPublication(
  ctx: TransactionContext,
  post: SocialPostRow,
  { retryUnknown = false }: PublicationOptions = {},
): Promise<SocialPostRow> {
  const { trx, enqueue } = ctx;
  const movedPost = post.status === 'publishing' ? post : await movePost(ctx, post, { to: 'publishing' });
  for (const target of await targetRows.findIn(trx, 'post_id', [post.id], 'update')) {
    if (endedStatuses.has(target.status)) continue;
    await targetRows.change(trx, target, {
      status: 'publishing',
      error: null,
      attempts: 0,
      probes: 0,
      started_at: null,
      limited_since: null,
    });
    if (post.sandbox) continue;
    const payload: PublishTargetPayload = { targetId: target.id, ...(retryUnknown ? { retryUnknown } : {}) };
    const key = target.account_ref === null ? {} : { concurrencyKey: target.account_ref };
    enqueue({ kind: publishTargetKind, payload, ...key });
  }
  if (post.sandbox) enqueue({ kind: simulateKind, payload: { postId: post.id } });
  return movedPost;
}
