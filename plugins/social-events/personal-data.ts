// Captions and variables may name people, and no index finds them: an erasure looks for the addresses in all of them.
import type { AddressFinder, Effects, PersonalData, SweepPlace, WorkspaceHandle } from '../../core/index.ts';
import type { RunRow } from './tables.ts';
import { runRows, variableRows } from './tables.ts';

const batch = 100;

const eraseIn = <T>(finder: AddressFinder, value: T): T => JSON.parse(finder.eraseJson(JSON.stringify(value))) as T;

/** Rows page by page, and what becomes of those that mention an address. */
interface Swept<Row> {
  readonly pages: (handle: WorkspaceHandle) => AsyncIterable<readonly Row[]>;
  readonly keyOf: (row: Row) => string;
  readonly textOf: (row: Row) => string;
  readonly change: (effects: Effects, key: string) => Promise<unknown>;
}

async function sweepRows<Row>(
  { read, write, signal }: SweepPlace,
  finder: AddressFinder,
  { pages, keyOf, textOf, change }: Swept<Row>,
): Promise<void> {
  const found: string[] = [];
  await read(async (handle) => {
    for await (const rows of pages(handle)) {
      signal.throwIfAborted();
      for (const row of rows) if (finder.isIn(textOf(row))) found.push(keyOf(row));
    }
  });
  for (const key of found) {
    signal.throwIfAborted();
    await write((effects) => change(effects, key));
  }
}

const textOfRun = ({ captions, dedupe_key: dedupeKey }: RunRow): string => JSON.stringify([captions, dedupeKey]);

export const personalData: PersonalData = {
  // Posts and captions are texts of the company.
  export: async () => ({}),
  erase: async () => 'done',
  async sweep(place, finder) {
    await sweepRows(place, finder, {
      pages: (handle) => runRows.each(handle, {}, batch),
      keyOf: ({ id }) => id,
      textOf: textOfRun,
      async change({ trx }, id) {
        const row = await runRows.lock(trx, id);
        if (row === undefined) return;
        const dedupeKey = row.dedupe_key === null ? null : finder.erase(row.dedupe_key).slice(0, 200);
        await runRows.change(trx, row, { captions: eraseIn(finder, row.captions), dedupe_key: dedupeKey });
      },
    });
    await sweepRows(place, finder, {
      pages: (handle) => variableRows.each(handle, {}, batch),
      keyOf: ({ run_id: runId }) => runId,
      textOf: ({ variables }) => JSON.stringify(variables),
      async change({ trx }, runId) {
        const row = await variableRows.lock(trx, runId);
        if (row !== undefined) await variableRows.change(trx, row, { variables: eraseIn(finder, row.variables) });
      },
    });
  },
};
