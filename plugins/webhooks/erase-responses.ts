// Erases receivers' responses to events about an erased person. A response may contain anything, so the whole response is
// removed. The time and the result of each delivery stay.
import type { AddressFinder, SweepContext, WorkspaceHandle } from '../../core/index.ts';
import { type DeliveryPosition, deliveriesOfEvents, listResponses, replaceAttempts, storedAttempts } from './store.ts';
import type { DeliveryAttempt } from './tables.ts';

const erasedError = 'Erased.';

const withoutResponse = (attempt: DeliveryAttempt): DeliveryAttempt => ({
  ...attempt,
  error: attempt.error === null ? null : erasedError,
  response_excerpt: null,
});

const rewritten = (attempts: string, change: (attempt: DeliveryAttempt) => DeliveryAttempt): string =>
  JSON.stringify(storedAttempts(attempts).map(change));

/** Erases the responses. Returns whether it must run again: a delivery is still pending, or a row changed meanwhile. */
export async function eraseResponses(handle: WorkspaceHandle, eventIds: readonly string[]): Promise<boolean> {
  const deliveries = await deliveriesOfEvents(handle, eventIds);
  let isOpen = deliveries.some(({ status }) => status === 'pending');
  for (const delivery of deliveries) {
    const erased = rewritten(delivery.attempts, withoutResponse);
    // An attempt that ended meanwhile changed the row, so the row must be read again.
    if (erased !== delivery.attempts && !(await replaceAttempts(handle, delivery, erased))) isOpen = true;
  }
  return isOpen;
}

/** The number of deliveries that are read, and at most written, at a time. */
const page = 500;

/** A response may itself be JSON or URL-encoded. The letter of an escape sequence must not count as part of an address. */
const unescaped = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\./g, ' ')
    .replace(/%40/g, '@');

/** Erases responses that contain the address, including responses to events about other people. */
export async function sweepResponses(context: SweepContext, finder: AddressFinder): Promise<void> {
  const names = (text: string | null): boolean => text !== null && (finder.isIn(text) || finder.isIn(unescaped(text)));
  const erase = (attempt: DeliveryAttempt): DeliveryAttempt =>
    names(attempt.error) || names(attempt.response_excerpt) ? withoutResponse(attempt) : attempt;
  for (let after: DeliveryPosition | undefined = { created_at: 0, id: '' }; after !== undefined; ) {
    context.signal.throwIfAborted();
    const from: DeliveryPosition = after;
    const rows = await context.read((handle) => listResponses(handle, from, page));
    const found = rows.flatMap((row) => {
      const erased = rewritten(row.attempts, erase);
      return erased === row.attempts ? [] : [{ row, erased }];
    });
    const areSame =
      found.length === 0 ||
      (await context.write(async ({ trx }) => {
        let allWritten = true;
        for (const { row, erased } of found) if (!(await replaceAttempts(trx, row, erased))) allWritten = false;
        return allWritten;
      }));
    // An attempt that ended meanwhile changed a row, so the page is read again.
    if (areSame) after = rows.length < page ? undefined : rows.at(-1);
  }
}
