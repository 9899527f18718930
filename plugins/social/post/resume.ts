// The second half of a held call that made a post: after the approval the post that it made goes out.
import { coreErrors, type OperationContext } from '../../../core/index.ts';
import { postRows } from '../tables.ts';
import { type Going, type Gone, goOut } from './going.ts';

/** @throws state_conflict where the post no longer waits for the decision, and what `goOut` throws */
export async function resumePost(ctx: OperationContext, going: Going): Promise<Gone> {
  const found = await postRows.findBy(ctx.trx, { approval_id: ctx.approvedRequest ?? '' }, 'update');
  if (found === undefined)
    throw coreErrors.state_conflict({
      reason: 'The post no longer waits for this decision: it was changed or deleted.',
    });
  return goOut(ctx, found, going, { from: [], field: 'scheduleAt' });
}
