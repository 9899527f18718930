// Checks ids that must be treated as missing. The id of a row of another workspace or of the other side must get the same response
// as an id that no row has.
import * as assert from 'node:assert/strict';
import { type FixtureRequest, type ForeignIds, foreignIds } from '../../../core/contract/declaration/fixture.ts';
import type { TestResponse } from '../test-service.ts';
import {
  type FieldPart,
  fieldOfPath,
  idsInField,
  rowReferencesIn,
  untestedReferences,
  withoutForeignExemptions,
  withUnknownIds,
} from './references.ts';
import { isMutating, type OperationCase, type OperationCheck, send, textsIn } from './request.ts';
import { changesBetween, keysOfRows, type Rows, rowsOf } from './rows.ts';

/** A request that names one row that must be treated as missing. */
interface Variation {
  readonly part: 'params' | FieldPart;
  /** The name in `foreign`; empty for the path. */
  readonly name: string;
  readonly changes: FixtureRequest;
  /** The ids in the changes that name the row. */
  readonly ids: readonly string[];
}

/** The requests that name these ids: all ids of the path at once, the ids of query and body one at a time. */
export function variationsOf({ operation, fixture }: OperationCase, ids: ForeignIds): Variation[] {
  const { params, query = {}, body = {} } = ids;
  return [
    ...(params === undefined
      ? []
      : [
          {
            part: 'params' as const,
            name: '',
            changes: { params: { ...fixture.params, ...params } },
            ids: textsIn(params),
          },
        ]),
    ...Object.entries(query).map(([name, id]) => ({
      part: 'query' as const,
      name,
      changes: { query: { ...fixture.query, [fieldOfPath(name)]: id } },
      ids: [id],
    })),
    ...Object.entries(body).map(([name, value]) => ({
      part: 'body' as const,
      name,
      changes: { body: { ...(fixture.body as object), [fieldOfPath(name)]: value } },
      ids: idsInField(operation, 'body', name, value),
    })),
  ];
}

/** The response without the requested ids and without ids of newly created rows, which differ each time. */
function withoutIds({ status, body }: TestResponse, ids: readonly string[]): string {
  const newIds = status < 300 ? /\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b/g : /req_\w{26}/g;
  // A suggestion is a row of the caller, chosen by similarity to the requested id.
  const text = (JSON.stringify(body) ?? '').replaceAll(newIds, 'made').replace(/ Did you mean [^?]*\?/, '');
  return ids.reduce((answer, id) => answer.replaceAll(JSON.stringify(id).slice(1, -1), 'id'), text);
}

/** The key of the requests, and the rows that must not change. */
interface RequestOptions {
  /** (Default: the live key) */
  readonly key?: string;
  /** A description of the rows, for failure messages. */
  readonly rowText: string;
  watch(): Promise<Rows>;
}

/** Whether the refusal means that the row does not exist. */
const namesMissing = ({ status, body }: TestResponse, { part, name }: Variation): boolean =>
  status === 404 ||
  (part !== 'params' &&
    (body.error?.details ?? []).some(
      ({ code, path }: { code: string; path: string }) => code === 'unknown' && fieldOfPath(path) === fieldOfPath(name),
    ));

/** Checks that each id gets the same response as an id that no row has, and that its row does not change. */
export async function assertSameAsMissing(
  testCase: OperationCase,
  ids: ForeignIds,
  { key, rowText: what, watch }: RequestOptions,
): Promise<void> {
  const request = key === undefined ? {} : { key };
  const { operation } = testCase;
  const missing = variationsOf(testCase, withUnknownIds(operation, ids));
  const before = await watch();
  for (const [index, variation] of variationsOf(testCase, ids).entries()) {
    const variationWithoutRow = missing[index];
    if (variationWithoutRow === undefined) throw new Error('Both kinds of ids have the same parts.');
    const isOtherwise = ids.otherwise?.[variation.name] !== undefined;
    // A successful call may take a key or a slot, so that the second call would fail. Therefore both calls are dry runs.
    const attempt = isOtherwise ? { ...request, headers: { 'dry-run': 'true' } } : request;
    const responseToRow = await send(testCase, variation.changes, attempt);
    const responseToMissing = await send(testCase, variationWithoutRow.changes, attempt);
    if (isOtherwise) await send(testCase, variation.changes, request);
    const field = variation.name === '' ? variation.part : `${variation.part}.${variation.name}`;
    const text = `${what} in ${field} is answered ${responseToRow.status}: ${JSON.stringify(responseToRow.body)}`;
    assert.equal(responseToRow.status, responseToMissing.status, text);
    // An operation that is idempotent by nature may succeed without doing anything, such as the deletion of a missing row. A search
    // may find nothing.
    const mustBeRefused = operation.idempotency !== 'natural' && (variation.part === 'params' || isMutating(operation));
    if (mustBeRefused && !isOtherwise) assert.ok(namesMissing(responseToRow, variation), text);
    assert.equal(
      withoutIds(responseToRow, variation.ids),
      withoutIds(responseToMissing, variationWithoutRow.ids),
      `${what} in ${field} can be distinguished from a missing one`,
    );
  }
  assert.deepEqual(changesBetween(before, await watch()), [], `a call that names ${what} changed its rows`);
}

async function hidesForeignRows(testCase: OperationCase): Promise<void> {
  const { test, operation, fixture } = testCase;
  const { foreign } = fixture;
  const ids = foreignIds(fixture);
  if (typeof foreign === 'string') assert.match(foreign, /^skipped: \S/, 'say why the path does not name a row');
  else if (operation.path.includes('{'))
    assert.ok(
      ids?.params !== undefined,
      `the fixture of ${operation.id} has no foreign id. Its path has parameters: give \`foreign\` a row of kit.foreignWorkspaceId, or say 'skipped: ' and why they do not name a row.`,
    );
  const untested = untestedReferences(operation, ids ?? {}, rowReferencesIn(await keysOfRows(test), fixture));
  assert.deepEqual(
    untested,
    [],
    `these fields of ${operation.id} name rows, and no foreign id is tried in them. Give \`foreign\` a row of kit.foreignWorkspaceId, or say 'skipped: ' and why the field does not name a row: foreign: { query: { … }, body: { … } } in the fixture, in defineList foreign: async (kit) => ({ name of the filter: … }).`,
  );
  if (ids === undefined) return;
  await assertSameAsMissing(testCase, withoutForeignExemptions(ids), {
    rowText: "another workspace's id",
    watch: () => rowsOf(test, [test.foreignWorkspaceId]),
  });
}

/** The check of operations that name rows. */
export const foreignCheck: OperationCheck = {
  name: "answers another workspace's id as a missing one",
  run: hidesForeignRows,
};
