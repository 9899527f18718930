// Scheduled posts: the job that runs at their time, and the checks before they are published.
import { defineJob, isPostriderError, type TransactionContext, toIsoTime, z } from '../../../core/index.ts';
import { chooseAccounts } from '../content/accounts.ts';
import { findMedia } from '../content/media.ts';
import { problemsOf } from '../problems/problems-of.ts';
import type { TargetError } from '../schema.ts';
import { postRows, type SocialPostRow, targetRows } from '../tables.ts';
import { failPost } from './end-target.ts';
import { startPublication } from './start.ts';
import { maxLateMs, publishDueKind } from './times.ts';

/** The lowest plan tier that publishes. */
const minTier = 2;

const keyOf = (postId: string): string => `due:${postId}`;

/** Schedules the publication of the post, and replaces an earlier schedule. */
export function schedulePublication(
  { enqueue }: TransactionContext,
  { id }: Pick<SocialPostRow, 'id'>,
  at: number,
): void {
  enqueue({ kind: publishDueKind, payload: { postId: id, at }, runAt: at, key: keyOf(id) });
}

/** Cancels the scheduled publication of the post. */
export async function unschedulePublication(
  { cancelJob }: TransactionContext,
  { id }: Pick<SocialPostRow, 'id'>,
): Promise<void> {
  await cancelJob({ kind: publishDueKind, key: keyOf(id) });
}

/** The reason why the post cannot be published now; undefined if it can. */
async function faultOf(ctx: TransactionContext, post: SocialPostRow): Promise<TargetError | undefined> {
  const { trx, workspace, now } = ctx;
  if (now - (post.scheduled_at ?? now) > maxLateMs)
    return {
      code: 'missed',
      message: `The post was due at ${toIsoTime(post.scheduled_at ?? now)}, and the service could not publish it within 6 hours of that. Schedule it again.`,
    };
  if (workspace.suspended)
    return { code: 'workspace_suspended', message: 'The workspace is suspended, so nothing is published.' };
  if (!post.sandbox && workspace.plan.tier < minTier)
    return { code: 'plan_required', message: 'The plan of the workspace does not publish posts any more.' };
  const targets = await targetRows.findIn(trx, 'post_id', [post.id]);
  try {
    const accounts = await chooseAccounts(trx, post.content, targets);
    const assets = await findMedia(ctx, post.content);
    const [problem] = problemsOf(post.content, { channels: ctx.services.socialChannels, accounts, assets });
    return problem === undefined ? undefined : { code: problem.code, message: problem.message };
  } catch (error) {
    // The error of a channel whose account was removed and that has several other accounts.
    if (isPostriderError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

export const publishDue = defineJob({
  kind: publishDueKind,
  payload: z.object({ postId: z.string(), at: z.number() }),

  async handler(ctx, { postId, at }) {
    await ctx.complete(async (tx) => {
      const post = await postRows.lock(tx.trx, postId);
      if (post?.status !== 'scheduled' || post.scheduled_at !== at) return;
      const fault = await faultOf(tx, post);
      if (fault === undefined) await startPublication(tx, post);
      else await failPost(tx, post, fault);
    });
  },
});
