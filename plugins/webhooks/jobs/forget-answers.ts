// A try that was on its way while its event was erased writes down what the receiver answered after that: the answers are
// cleaned again, until no delivery of these events is tried any more.
import { defineJob, z } from '../../../core/index.ts';
import { eraseAnswers } from '../answers.ts';

const kind = 'webhooks.forget_answers';
/** A try is over long before. */
const firstWaitMs = 120_000;

/** The job for these events; `waitMs` longer each time, since the next try may be hours away. */
export const forgetLater = (eventIds: readonly string[], now: number, waitMs = firstWaitMs) => ({
  kind,
  payload: { eventIds, waitMs },
  runAt: now + waitMs,
});

export const forgetAnswers = defineJob({
  kind,
  payload: z.object({ eventIds: z.array(z.string()), waitMs: z.number() }),
  lane: 'bulk',
  handler: (context, { eventIds, waitMs }) =>
    context.complete(async ({ trx, enqueue, now }) => {
      // A try that ends at this moment may write the answers that it read before.
      if (await eraseAnswers(trx, eventIds)) enqueue(forgetLater(eventIds, now, waitMs * 2));
    }),
});
