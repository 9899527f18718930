// What receivers answered to events about a person who is erased: they answer as they like, so all of it goes. When
// something was delivered, and whether, stays.
import type { WorkspaceHandle } from '../../core/index.ts';
import { deliveriesOfEvents, replaceAttempts } from './store.ts';
import type { DeliveryAttempt } from './tables.ts';

const erasedError = 'Erased.';

const withoutAnswer = (attempt: DeliveryAttempt): DeliveryAttempt => ({
  ...attempt,
  error: attempt.error === null ? null : erasedError,
  response_excerpt: null,
});

/** Answers whether one of these events may still be on its way to somebody. */
export async function eraseAnswers(handle: WorkspaceHandle, eventIds: readonly string[]): Promise<boolean> {
  const deliveries = await deliveriesOfEvents(handle, eventIds);
  for (const { id, attempts } of deliveries) {
    const erased = JSON.stringify((JSON.parse(attempts) as DeliveryAttempt[]).map(withoutAnswer));
    if (erased !== attempts) await replaceAttempts(handle, id, erased);
  }
  return deliveries.some(({ state }) => state === 'pending');
}
