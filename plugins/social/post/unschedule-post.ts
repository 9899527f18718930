// Takes a post off the schedule.
import type { OperationContext } from '../../../core/index.ts';
import { targetsOf } from '../present.ts';
import { movePost } from '../states.ts';
import type { SocialPostRow } from '../tables.ts';
import { checkState, checkUnknown, unschedule } from './publish-or-schedule.ts';

/** Makes the post ready again, and releases its credits. @throws state_conflict */
export async function unschedulePost(ctx: OperationContext, post: SocialPostRow): Promise<SocialPostRow> {
  checkState(post, 'ready', ['scheduled', 'failed']);
  checkUnknown((await targetsOf(ctx.trx, [post])).get(post.id) ?? []);
  await unschedule(ctx, post);
  return movePost(ctx, post, { to: 'ready', set: { hold_id: null, held: 0, scheduled_at: null } });
}
