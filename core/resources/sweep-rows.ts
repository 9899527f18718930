// Erases addresses in rows that no index finds. Called by the `sweep` of plugins' PersonalData. Reads outside any
// transaction and changes each row in its own transaction, so it never holds more than one lock.
import type { AddressFinder, SweepContext } from '../contract/declaration/personal-data.ts';
import type { RowPart } from './row-statements.ts';
import type { TenantRows } from './rows.ts';

/** How the rows of a table are swept. */
export interface RowSweep<Row extends object> {
  readonly rows: TenantRows<Row>;
  /** The number of rows that are read at once; use few if rows are large. (Default: 100) */
  readonly batch?: number;
  /** The text that is searched for addresses. (Default: the whole row as JSON) */
  readonly textOf?: (row: Row) => string;
  /** The columns without the addresses. `now` is the time of the change. */
  readonly changes: (row: Row, now: number) => RowPart<Row>;
}

/** Finds the rows that mention an address, then locks and changes them one after another. */
export async function sweepRows<Row extends object>(
  { read, write, signal }: SweepContext,
  finder: AddressFinder,
  { rows, batch = 100, textOf = (row) => JSON.stringify(row), changes }: RowSweep<Row>,
): Promise<void> {
  const keysToChange: string[] = [];
  await read(async (handle) => {
    for await (const batchRows of rows.each(handle, {}, batch)) {
      signal.throwIfAborted();
      for (const row of batchRows) if (finder.isIn(textOf(row))) keysToChange.push(rows.position(row).id);
    }
  });
  for (const key of keysToChange) {
    signal.throwIfAborted();
    await write(async ({ trx, now }) => {
      const row = await rows.lock(trx, key);
      if (row !== undefined) await rows.change(trx, row, changes(row, now));
    });
  }
}

/** A value of a JSON column without the addresses. */
export const eraseIn = <T>(finder: AddressFinder, value: T): T =>
  JSON.parse(finder.eraseJson(JSON.stringify(value))) as T;

/** A text without the addresses; null stays null. */
export const eraseText = (finder: AddressFinder, text: string | null): string | null =>
  text === null ? null : finder.erase(text);
