// Cursors of lists: a keyset position (created, id) in one named list, as base64url. Used by every list operation.
import type { Expression, SqlBool } from 'kysely';
import { coreErrors } from '../contract/errors/core-errors.ts';

/** The end of a page. The rows after it are older, or equally old with a smaller id. */
export interface CursorPosition {
  readonly createdAt: number;
  readonly id: string;
}

const encode = (list: string, position: CursorPosition): string =>
  Buffer.from(JSON.stringify([list, position.createdAt, position.id])).toString('base64url');

/** The position in a cursor of this list; undefined without a cursor. @throws cursor_invalid if it is invalid or of another list */
export function decodeCursor(list: string, cursor: string | undefined): CursorPosition | undefined {
  if (cursor === undefined) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw coreErrors.cursor_invalid();
  }
  if (!Array.isArray(parts) || parts.length !== 3) throw coreErrors.cursor_invalid();
  const [name, createdAt, id] = parts as unknown[];
  if (
    name !== list ||
    typeof createdAt !== 'number' ||
    !Number.isSafeInteger(createdAt) ||
    typeof id !== 'string' ||
    id.length > 320
  ) {
    throw coreErrors.cursor_invalid();
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no database takes NUL in text
  if (/[\u0000\ud800-\udfff]/.test(id)) throw coreErrors.cursor_invalid();
  return { createdAt, id };
}

/** The part of Kysely's expression builder that the comparison needs. */
interface KeysetBuilder {
  (column: never, operator: '<' | '<=' | '>' | '>=', value: never): Expression<SqlBool>;
  or(parts: Expression<SqlBool>[]): Expression<SqlBool>;
  and(parts: Expression<SqlBool>[]): Expression<SqlBool>;
}

/** Rows on one side of a position. The first comparison alone is redundant, but makes it an index range scan on every database. */
function beyondPosition(
  operator: '<' | '>',
  timeColumn: string,
  idColumn: string,
  position: CursorPosition,
  idOperator: '<' | '>' | '>=' = operator,
) {
  return (builder: unknown): Expression<SqlBool> => {
    const compare = builder as KeysetBuilder;
    const time = timeColumn as never;
    const byTime = compare(time, operator, position.createdAt as never);
    const byId = compare(idColumn as never, idOperator, position.id as never);
    return compare.and([compare(time, `${operator}=`, position.createdAt as never), compare.or([byTime, byId])]);
  };
}

/** `where(olderThan('created_at', 'id', position))`: rows after the position, newest first. */
export const olderThan = (timeColumn: string, idColumn: string, position: CursorPosition) =>
  beyondPosition('<', timeColumn, idColumn, position);

/** `where(notOlderThan('created_at', 'id', position))`: the row at the position, and the rows before it, newest first. */
export const notOlderThan = (timeColumn: string, idColumn: string, position: CursorPosition) =>
  beyondPosition('>', timeColumn, idColumn, position, '>=');

/** `where(newerThan('created_at', 'id', position))`: rows after the position, oldest first. */
export const newerThan = (timeColumn: string, idColumn: string, position: CursorPosition) =>
  beyondPosition('>', timeColumn, idColumn, position);

/**
 * Makes a page of the list envelope from rows fetched with `limit + 1`. `scannedTo`: the end of the scan, if the page reads a bounded
 * number of rows (`scanEnd`). Then the page can be short, or empty, and still have a next one.
 */
export function toPage<Row, Item>(
  list: string,
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => CursorPosition,
  present: (row: Row) => Item,
  scannedTo?: CursorPosition,
): { data: Item[]; next_cursor: string | null } {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  const end = rows.length > limit && last !== undefined ? position(last) : scannedTo;
  return { data: pageRows.map(present), next_cursor: end === undefined ? null : encode(list, end) };
}

/**
 * Makes a page of a list whose whole content is in memory, in a fixed order: items that come with the service or with
 * the program. `keyOf` returns the value that identifies an item. A page starts after the item that the cursor names.
 * If that item is gone, the page starts at the item's number.
 * @throws cursor_invalid when the cursor cannot be decoded or belongs to another list
 */
export function pageOfItems<Item>(
  list: string,
  items: readonly Item[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
  keyOf: (item: Item) => string,
): { data: Item[]; next_cursor: string | null } {
  const after = decodeCursor(list, cursor);
  const indexOfCursor = after === undefined ? -1 : items.findIndex((item) => keyOf(item) === after.id);
  const start = after === undefined ? 0 : indexOfCursor < 0 ? after.createdAt : indexOfCursor + 1;
  const page = items.slice(start, start + limit + 1).map((item, index) => ({ item, number: start + index }));
  return toPage(
    list,
    page,
    limit,
    ({ item, number }) => ({ createdAt: number, id: keyOf(item) }),
    ({ item }) => item,
  );
}
