// An attempt that was running while its event was erased stores the receiver's response afterwards. This job erases the responses
// again until no delivery of these events is pending.
import { defineJob, z } from '../../../core/index.ts';
import { eraseResponses } from '../erase-responses.ts';

const kind = 'webhooks.forget_answers';
/** Longer than any attempt takes. */
const firstWaitMs = 120_000;

/** The job for these events. Each repetition waits longer, because the next attempt may be hours away. */
export const eraseAgainLater = (eventIds: readonly string[], now: number, waitMs = firstWaitMs) => ({
  kind,
  payload: { eventIds, waitMs },
  runAt: now + waitMs,
});

export const eraseResponsesAgain = defineJob({
  kind,
  payload: z.object({ eventIds: z.array(z.string()), waitMs: z.number() }),
  lane: 'bulk',
  handler: (context, { eventIds, waitMs }) =>
    context.complete(async ({ trx, enqueue, now }) => {
      // The job runs once more, because an attempt that is running now may still store a response that it read before the erasure.
      if (await eraseResponses(trx, eventIds)) enqueue(eraseAgainLater(eventIds, now, waitMs * 2));
    }),
});
