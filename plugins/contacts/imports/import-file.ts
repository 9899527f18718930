// The text of a file: checked when it is accepted, stored sealed in parts until its import ends.
import { setImmediate } from 'node:timers/promises';
import type { Keyring, ReadContext, TransactionContext } from '../../../core/index.ts';
import { restore } from '../../../core/unstable.ts';
import { columnsOf, type ImportColumn, ignoredAmong, type RowContent, rowOf } from '../csv/columns.ts';
import { CsvFault, RowFault } from '../csv/faults.ts';
import { type FileRow, parseText } from '../csv/parse-rows.ts';
import type { ImportFault, ImportInput } from './schema.ts';
import { importPartRows } from './tables.ts';

/** The maximum number of bytes of a stored part, because databases limit the size of one statement. */
const partBytes = 1_000_000;

const contextOf = (importId: string, position: number): string => `contacts.import:${importId}:${position}`;

/** Stores the text of a file. */
export function storeFile({ trx, ports }: TransactionContext, importId: string, csv: string): void {
  const bytes = Buffer.from(csv);
  for (let position = 0, at = 0; at < bytes.length; position += 1, at += partBytes)
    importPartRows.deferInsert(trx, {
      import_id: importId,
      position,
      sealed: ports.keyring.seal(bytes.subarray(at, at + partBytes), contextOf(importId, position)),
    });
}

/** The stored text of a file. */
export async function readFile({ trx }: ReadContext, keyring: Keyring, importId: string): Promise<string> {
  const parts = await importPartRows.findIn(trx, 'import_id', [importId]);
  const sorted = parts.toSorted((one, other) => one.position - other.position);
  return Buffer.concat(
    sorted.map(({ position, sealed }) => keyring.open(Buffer.from(sealed), contextOf(importId, position))),
  ).toString('utf8');
}

/** Removes the stored text. */
export async function removeFile({ trx: { db } }: TransactionContext, importId: string): Promise<void> {
  await db.deleteFrom('contact_import_parts').where('import_id', '=', importId).execute();
}

/** A file that was read from its beginning to its end. */
export interface CheckedFile {
  readonly columns: readonly ImportColumn[];
  /** The headings of the columns that are not imported. */
  readonly ignored: readonly string[];
  /** The number of rows after the headings. */
  readonly total: number;
  /** The addresses in the column of the address, as they are written. */
  readonly emails: readonly string[];
  /** The content of the rows, if the caller needs it at once. */
  readonly read: ReadRows;
}

/** Reads the whole file, so that an invalid file changes nothing. @throws CsvFault */
export async function checkFile(
  { csv, mapping }: Pick<ImportInput, 'csv' | 'mapping'>,
  keepRows: boolean,
): Promise<CheckedFile> {
  const source = parseText(csv);
  const first = await source.next();
  if (first.done === true) throw new CsvFault('The file is empty.', 'csv');
  const headings = first.value.cells;
  const fields = new Map(Object.entries(mapping ?? {}).map(([heading, field]) => [heading.trim(), field]));
  const columns = columnsOf(headings, { fields, others: mapping === undefined ? 'by_heading' : 'ignored' });
  const addressColumn = columns.findIndex((column) => 'field' in column && column.field === 'email');
  const emails: string[] = [];
  const rows: FileRow[] = [];
  let total = 0;
  for await (const row of source) {
    total += 1;
    const email = restore(row.cells[addressColumn] ?? '').trim();
    if (email !== '') emails.push(email);
    if (keepRows) rows.push(row);
  }
  return { columns, ignored: ignoredAmong(headings, columns), total, emails, read: await readRows(rows, columns) };
}

/** The rows without the headings. @throws CsvFault */
export async function* rowsOf(csv: string): AsyncGenerator<FileRow> {
  const rows = parseText(csv);
  await rows.next();
  yield* rows;
}

/** The valid rows, each with its line, and the faults of the invalid rows. */
export interface ReadRows {
  readonly valid: readonly (RowContent & { readonly line: number })[];
  readonly faults: readonly ImportFault[];
}

/** The number of rows that are read before other work gets its turn. */
const rowsPerTurn = 500;

export async function readRows(rows: readonly FileRow[], columns: readonly ImportColumn[]): Promise<ReadRows> {
  const valid: (RowContent & { readonly line: number })[] = [];
  const faults: ImportFault[] = [];
  for (const [index, { line, cells }] of rows.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await setImmediate();
    try {
      valid.push({ line, ...rowOf(cells, columns) });
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      faults.push({ line, code: error.code, message: error.message });
    }
  }
  return { valid, faults };
}
