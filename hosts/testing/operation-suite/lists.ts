// The checks of lists: they show no row of another workspace. Lists with pages show every row once, newest first.
import * as assert from 'node:assert/strict';
import { foreignIds, type MakeItem, type NoItem } from '../../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../../core/contract/declaration/operation.ts';
import { jsonSchemaOf, rootSchema } from '../../../core/projections/json-schema.ts';
import { isRecord } from '../../../core/projections/schema-parts.ts';
import { toPage } from '../../../core/storage/cursor.ts';
import { type OperationCase, type OperationCheck, send, succeeds } from './request.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Whether the operation is a list with pages. */
export const isList = ({ input }: Operation): boolean => input.query !== undefined && 'cursor' in input.query.shape;

/** Whether the operation returns a list: `{ data: […] }`, in pages or as a whole. */
export function returnsList(operation: Operation): boolean {
  if (isList(operation)) return true;
  if (operation.idempotency !== 'read') return false;
  const { properties } = rootSchema(jsonSchemaOf(operation.output, 'output'));
  return isRecord(properties) && isRecord(properties.data) && properties.data.type === 'array';
}

const pageText = (limit: number): Readonly<Record<string, string>> => ({ limit: String(limit) });

/** All entries, page by page. */
export async function readWholeList(
  testCase: OperationCase,
  { limit = 100, params = testCase.fixture.params ?? {}, key }: ListRequest = {},
): Promise<Entry[]> {
  const entries: Entry[] = [];
  const request = key === undefined ? {} : { key };
  if (!isList(testCase.operation)) return (await succeeds(testCase, { params }, request)).body.data;
  const query = { ...testCase.fixture.query, ...pageText(limit) };
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const changes = { params, query: cursor === undefined ? query : { ...query, cursor } };
    const { body } = await succeeds(testCase, changes, request);
    assert.ok(body.data.length <= limit, `a page of ${limit} holds ${body.data.length} entries`);
    entries.push(...body.data);
    if (body.next_cursor === null) return entries;
    assert.ok(!seen.has(body.next_cursor), 'a page leads to itself: the list does not end');
    cursor = String(body.next_cursor);
    seen.add(cursor);
  }
}

interface ListRequest {
  readonly limit?: number;
  readonly params?: Readonly<Record<string, string>>;
  readonly key?: string;
}

/** The name of the field in which the list shows the item. */
export function fieldOf(entries: readonly Entry[], item: string): string {
  for (const entry of entries)
    for (const [name, value] of Object.entries(entry)) if (String(value) === item) return name;
  return assert.fail(`the list does not show ${item}, which \`item\` made`);
}

/** A valid cursor of another list. */
const cursorOfAnotherList = (): string => {
  const row = { createdAt: 1_767_225_600_000, id: 'row_1' };
  const { next_cursor } = toPage(
    'a list of the generated tests',
    [row, row],
    1,
    () => row,
    () => row,
  );
  return next_cursor ?? '';
};

async function refusesForeignCursors(testCase: OperationCase): Promise<void> {
  for (const cursor of [cursorOfAnotherList(), 'no cursor']) {
    const { status, body } = await send(testCase, { query: { ...testCase.fixture.query, cursor } });
    assert.equal(status, 400, `a cursor of another list is answered ${status}`);
    assert.equal(body.error.code, 'cursor_invalid');
  }
}

/** The function that creates the list's rows. @throws AssertionError if the operation declares no such function */
function itemOf({ id, exampleRow }: Operation): MakeItem | NoItem {
  assert.ok(
    exampleRow !== undefined,
    `${id} is a list, and its fixture does not make a row. Add \`item: (kit, workspaceId, params) => …\`, which makes a row and returns the value that identifies it in the list (in defineList: \`one\`), or 'skipped: ' and why.`,
  );
  if (typeof exampleRow === 'string')
    assert.match(exampleRow, /^skipped: \S/, 'say why no row of the list can be made');
  return exampleRow;
}

async function showsEveryRowOnce(testCase: OperationCase): Promise<void> {
  const { test, operation, kit, fixture } = testCase;
  const item = itemOf(operation);
  if (typeof item === 'string') return refusesForeignCursors(testCase);
  const { params = {} } = fixture;
  const before = await readWholeList(testCase);
  // Two rows of the same millisecond, and a newer row.
  const created = [await item(kit, test.workspaceId, params), await item(kit, test.workspaceId, params)];
  test.advanceClock(1_000);
  const newest = await item(kit, test.workspaceId, params);
  const wholeList = await readWholeList(testCase);
  // The list has a fixed set, such as the kinds of policies: setting a policy adds no row, and the order is fixed.
  const isFixed = before.length > 0 && wholeList.length === before.length;
  const field = fieldOf(wholeList, newest);
  const names = (entries: readonly Entry[]): string[] => entries.map((entry) => String(entry[field]));
  const order = names(wholeList);
  const rows = isFixed ? wholeList.map((entry) => JSON.stringify(entry)) : order;
  assert.equal(new Set(rows).size, rows.length, `the list repeats a row: ${rows.join(', ')}`);
  for (const older of created) {
    assert.ok(order.includes(older), `the list lacks ${older}`);
    if (!isFixed)
      assert.ok(order.indexOf(newest) < order.indexOf(older), 'the list does not begin with its newest row');
  }
  assert.deepEqual(
    names(await readWholeList(testCase, { limit: 1 })),
    order,
    'pages of one row show other rows than the list',
  );
  await refusesForeignCursors(testCase);
}

async function hidesForeignItems(testCase: OperationCase): Promise<void> {
  const { test, operation, kit, fixture } = testCase;
  // For a list with pages, the check of the pages reports a missing `item`.
  const item = isList(operation) ? operation.exampleRow : itemOf(operation);
  if (typeof item !== 'function') return;
  const params = foreignIds(fixture)?.params ?? {};
  const ownItem = await item(kit, test.workspaceId, fixture.params ?? {});
  const before = await readWholeList(testCase);
  const field = fieldOf(before, ownItem);
  await item(kit, test.foreignWorkspaceId, params);
  const names = (entries: readonly Entry[]): unknown[] => entries.map((entry) => entry[field]);
  assert.deepEqual(names(await readWholeList(testCase)), names(before), "the list shows another workspace's row");
}

/** The checks of an operation that returns a list. */
export const listChecks = (operation: Operation): readonly OperationCheck[] => [
  ...(isList(operation) ? [{ name: 'shows every row once, page by page, newest first', run: showsEveryRowOnce }] : []),
  ...(returnsList(operation) ? [{ name: 'shows no row of another workspace', run: hidesForeignItems }] : []),
];
