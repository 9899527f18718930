// The second half of a held call that created a post: after the approval, this post is published or scheduled.
import { coreErrors, type OperationContext } from '../../../core/index.ts';
import { postRows } from '../tables.ts';
import {
  type PublishOrScheduleOptions,
  type PublishOrScheduleResult,
  publishOrSchedule,
} from './publish-or-schedule.ts';

/** @throws state_conflict if the post no longer waits for the decision, and the errors of `publishOrSchedule` */
export async function resumePost(
  ctx: OperationContext,
  publishOptions: PublishOrScheduleOptions,
): Promise<PublishOrScheduleResult> {
  const waitingPost = await postRows.findBy(ctx.trx, { approval_id: ctx.approvedRequest ?? '' }, 'update');
  if (waitingPost === undefined)
    throw coreErrors.state_conflict({
      reason: 'The post no longer waits for this decision: it was changed or deleted.',
    });
  return publishOrSchedule(ctx, waitingPost, publishOptions, { from: [], field: 'scheduleAt' });
}
