// Runs an import: a few hundred rows in each transaction, which also stores the position of the import. If the job is interrupted, it
// continues after the last stored row.
import { defineJob, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { topicsAmong } from '../csv/columns.ts';
import type { FileRow } from '../csv/parse-rows.ts';
import { repeatOnWriteConflict } from '../upsert-contacts.ts';
import { importRowsOf } from './import-chunk.ts';
import { type ReadRows, readFile, readRows, removeFile, rowsOf } from './import-file.ts';
import { announceImport } from './listeners.ts';
import { missingTopic, setRowTopics } from './row-topics.ts';
import { type ImportFault, maxFaults } from './schema.ts';
import { type ContactImportRow, importRows } from './tables.ts';

export const importKind = 'contacts.import';

/** The maximum number of rows that one transaction imports. On SQLite, a login code waits for at most one such transaction. */
const batch = 250;
/** The maximum number of characters in a batch. It limits the memory, because rows may be long. */
const batchCharacters = 2_000_000;
/** The maximum number of batches that one job imports before other jobs get their turn. */
const batchesInTurn = 200;

/** Ends an import. @param fault why it failed (Default: it is complete) */
async function end(
  ctx: TransactionContext,
  { id, faults }: Pick<ContactImportRow, 'id' | 'faults'>,
  fault?: ImportFault,
): Promise<void> {
  const { trx, now } = ctx;
  await importRows.update(trx, id, {
    status: fault === undefined ? 'completed' : 'failed',
    finished_at: now,
    joining: null,
    preferring: null,
    erased: [],
    ...(fault === undefined ? {} : { faults: [...faults.slice(0, maxFaults - 1), fault] }),
  });
  await removeFile(ctx, id);
  await announceImport(ctx);
  ctx.ports.phase('contacts.ending_import', id);
}

/** Locks the import for the next step. Undefined if it has ended, or if another process has made the step. */
async function lockAt({ trx }: TransactionContext, id: string, position: number) {
  const row = await importRows.lock(trx, id);
  return row?.status === 'running' && row.position === position ? row : undefined;
}

type Step = (work: (ctx: TransactionContext) => Promise<boolean>) => Promise<boolean>;

const notFound = (line: number, kind: 'list' | 'topic', message: string): ImportFault => ({
  line,
  code: `${kind}_not_found`,
  message,
});

/** The contacts of the latest rows join the list. Returns a fault if the list no longer exists. */
async function joinList(
  ctx: TransactionContext,
  row: ContactImportRow,
  line: number,
): Promise<ImportFault | undefined> {
  if (row.joining === null || row.list_id === null) return undefined;
  const { lists } = ctx.services;
  const list = await lists.find(ctx.trx, row.list_id, 'share');
  if (list === undefined) return notFound(line, 'list', 'The list was deleted during the import.');
  await lists.addMembers(ctx, list.id, row.joining, {
    source: 'import',
    confirmed: row.consent_note !== null,
    consentNote: row.consent_note ?? undefined,
  });
  return undefined;
}

/** The topics of the latest rows become preferences. Returns a fault if a topic no longer exists. */
async function storePreferences(
  ctx: TransactionContext,
  row: ContactImportRow,
  line: number,
): Promise<ImportFault | undefined> {
  if (row.preferring === null) return undefined;
  const { topics } = ctx.services;
  const missing = await missingTopic(topics, ctx.trx, topicsAmong(row.columns), 'share');
  if (missing !== undefined) return notFound(line, 'topic', `The topic ${missing} was deleted during the import.`);
  await setRowTopics(ctx, topics, row.preferring, row.consent_note ?? undefined);
  return undefined;
}

/**
 * Adds the contacts of the latest rows to the list, and stores their preferences. Needs a second transaction, because the contacts exist
 * only after the transaction that stored them.
 */
async function finishRows(ctx: TransactionContext, id: string, position: number, line: number): Promise<boolean> {
  const row = await lockAt(ctx, id, position);
  if (row === undefined) return false;
  if (row.joining === null && row.preferring === null) return true;
  const fault = (await joinList(ctx, row, line)) ?? (await storePreferences(ctx, row, line));
  if (fault === undefined) await importRows.update(ctx.trx, id, { joining: null, preferring: null });
  else await end(ctx, row, fault);
  ctx.ports.phase('contacts.following_rows', id);
  return fault === undefined;
}

async function importBatch(ctx: TransactionContext, id: string, position: number, read: ReadRows, size: number) {
  const row = await lockAt(ctx, id, position);
  if (row === undefined) return false;
  const { counts, contactIds, topics } = await importRowsOf(ctx, row, read);
  await importRows.update(ctx.trx, id, {
    ...counts,
    position: position + size,
    joining: row.list_id === null || contactIds.length === 0 ? null : contactIds,
    preferring: Object.keys(topics).length === 0 ? null : topics,
  });
  ctx.ports.phase('contacts.importing_rows', id);
  return true;
}

/** Batches of rows, without the rows that are already done. */
async function* batchesAfter(csv: string, position: number): AsyncGenerator<readonly FileRow[]> {
  let rows: FileRow[] = [];
  let characters = 0;
  let at = 0;
  for await (const row of rowsOf(csv)) {
    at += 1;
    if (at <= position) continue;
    rows.push(row);
    for (const cell of row.cells) characters += cell.length;
    if (rows.length < batch && characters < batchCharacters) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}

/** Imports the rows of one turn. Returns whether the job must run again. */
async function importRest(ctx: JobContext, row: ContactImportRow, csv: string, step: Step): Promise<boolean> {
  const { id } = row;
  let { position } = row;
  const needsFinish = row.list_id !== null || topicsAmong(row.columns).length > 0;
  const finishLatestRows = (line: number) => (needsFinish ? step((tx) => finishRows(tx, id, position, line)) : true);
  if (!(await finishLatestRows(0))) return false;
  let turns = 0;
  for await (const rows of batchesAfter(csv, position)) {
    ctx.signal.throwIfAborted();
    if (turns === batchesInTurn) return true;
    turns += 1;
    const read = await readRows(rows, row.columns);
    if (!(await step((tx) => importBatch(tx, id, position, read, rows.length)))) return false;
    position += rows.length;
    ctx.ports.phase('contacts.rows_imported', id);
    if (!(await finishLatestRows(rows.at(-1)?.line ?? 0))) return false;
  }
  await step(async (tx) => {
    const last = await lockAt(tx, id, position);
    if (last !== undefined) await end(tx, last);
    return false;
  });
  return false;
}

export const importJob = defineJob({
  kind: importKind,
  payload: z.object({ importId: z.string() }),
  lane: 'bulk',
  timeoutMs: 600_000,

  async handler(ctx, { importId }) {
    const step: Step = (work) => repeatOnWriteConflict(() => ctx.checkpoint(work));
    const { row, csv } = await ctx.read(async (reading) => ({
      row: await importRows.find(reading.trx, importId),
      csv: await readFile(reading, ctx.ports.keyring, importId),
    }));
    if (row?.status !== 'running') return ctx.complete();
    const again = await importRest(ctx, row, csv, step);
    return ctx.complete(async ({ enqueue }) => {
      if (again) enqueue({ kind: importKind, payload: { importId }, key: importId });
    });
  },

  async exhausted(ctx, { importId }) {
    const row = await importRows.lock(ctx.trx, importId);
    if (row?.status !== 'running') return;
    const message = 'The rest could not be imported: the log of the service says why. Import the file again.';
    await end(ctx, row, { line: 0, code: 'internal_error', message });
  },
});
