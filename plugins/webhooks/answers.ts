// What receivers answered to events about a person who is erased: they answer as they like, so all of it goes. When
// something was delivered, and whether, stays.
import type { AddressFinder, SweepPlace, WorkspaceHandle } from '../../core/index.ts';
import type { DeliveryPlace } from './store.ts';
import { deliveriesOfEvents, listAnswers, readAnswers, replaceAttempts } from './store.ts';
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

/** So many deliveries are read, and at most so many are written, at a time. */
const page = 500;

/** Takes the addresses out of whatever receivers answered, to events about others too. */
export async function sweepAnswers(place: SweepPlace, finder: AddressFinder): Promise<void> {
  const names = ({ attempts }: { readonly attempts: string }): boolean =>
    attempts.includes('@') && finder.isIn(attempts);
  for (let after: DeliveryPlace | undefined = { created_at: 0, id: '' }; after !== undefined; ) {
    place.signal.throwIfAborted();
    const from: DeliveryPlace = after;
    const rows = await place.read((handle) => listAnswers(handle, from, page));
    const found = rows.filter(names).map(({ id }) => id);
    if (found.length > 0)
      await place.write(async ({ trx }) => {
        // Again, for what was tried meanwhile.
        for (const { id, attempts } of await readAnswers(trx, found))
          await replaceAttempts(trx, id, finder.eraseJson(attempts));
      });
    after = rows.length < page ? undefined : rows.at(-1);
  }
}
