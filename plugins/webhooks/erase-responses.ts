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

/** Erases the responses. Returns whether it must run again, because a delivery is still pending or a row changed meanwhile. */
export async function eraseResponses(handle: WorkspaceHandle, eventIds: readonly string[]): Promise<boolean> {
  const deliveries = await deliveriesOfEvents(handle, eventIds);
  let mustRunAgain = deliveries.some(({ status }) => status === 'pending');
  for (const delivery of deliveries) {
    const erased = rewritten(delivery.attempts, withoutResponse);
    // An attempt that ended meanwhile changed the row, so the row must be read again.
    if (erased !== delivery.attempts && !(await replaceAttempts(handle, delivery, erased))) mustRunAgain = true;
  }
  return mustRunAgain;
}

/** The maximum number of deliveries in one read and one write. */
const deliveriesPerPage = 500;

/** Decodes a response, which may be JSON or URL-encoded, so that the letters of escape sequences do not count as parts of an address. */
const decodedResponse = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\./g, ' ')
    .replace(/%40/g, '@');

/** Erases responses that contain the address, including responses to events about other people. */
export async function sweepResponses(context: SweepContext, finder: AddressFinder): Promise<void> {
  const mentionsPerson = (text: string | null): boolean =>
    text !== null && (finder.isIn(text) || finder.isIn(decodedResponse(text)));
  const erase = (attempt: DeliveryAttempt): DeliveryAttempt =>
    mentionsPerson(attempt.error) || mentionsPerson(attempt.response_excerpt) ? withoutResponse(attempt) : attempt;
  for (let after: DeliveryPosition | undefined = { created_at: 0, id: '' }; after !== undefined; ) {
    context.signal.throwIfAborted();
    const from: DeliveryPosition = after;
    const rows = await context.read((handle) => listResponses(handle, from, deliveriesPerPage));
    const erasedRows = rows.flatMap((row) => {
      const erased = rewritten(row.attempts, erase);
      return erased === row.attempts ? [] : [{ row, erased }];
    });
    const isPageDone =
      erasedRows.length === 0 ||
      (await context.write(async ({ trx }) => {
        let allWritten = true;
        for (const { row, erased } of erasedRows) if (!(await replaceAttempts(trx, row, erased))) allWritten = false;
        return allWritten;
      }));
    // An attempt that ended meanwhile changed a row, so the page is read again.
    if (isPageDone) after = rows.length < deliveriesPerPage ? undefined : rows.at(-1);
  }
}
