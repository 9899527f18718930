// Ids that must look missing: another workspace's row, and a row of the other side, are answered like one that is nowhere.
import * as assert from 'node:assert/strict';
import type { FixtureRequest, ForeignIds } from '../../contract/fixture.ts';
import { foreignIds } from '../../contract/fixture.ts';
import type { TestResponse } from '../test-service.ts';
import type { Case, Check } from './request.ts';
import { isMutating, send, textsIn, unlike } from './request.ts';
import type { Rows } from './rows.ts';
import { changesBetween, rowsOf } from './rows.ts';

/** A request that names one row that must look missing. */
interface Variation {
  readonly part: keyof ForeignIds;
  readonly changes: FixtureRequest;
  /** The values in it that name the row. */
  readonly ids: readonly string[];
}

/** The requests that name these ids: the path's at once, those of query and body one at a time. */
export function variationsOf({ fixture }: Case, ids: ForeignIds): Variation[] {
  const { params, query = {}, body = {} } = ids;
  return [
    ...(params === undefined
      ? []
      : [{ part: 'params' as const, changes: { params: { ...fixture.params, ...params } }, ids: textsIn(params) }]),
    ...Object.entries(query).map(([name, id]) => ({
      part: 'query' as const,
      changes: { query: { ...fixture.query, [name]: id } },
      ids: [id],
    })),
    ...Object.entries(body).map(([name, value]) => ({
      part: 'body' as const,
      changes: { body: { ...(fixture.body as object), [name]: value } },
      ids: textsIn(value),
    })),
  ];
}

function withoutIds({ body }: TestResponse, ids: readonly string[]): string {
  const text = (JSON.stringify(body) ?? '').replaceAll(/req_\w{26}/g, 'req');
  return ids.reduce((answer, id) => answer.replaceAll(JSON.stringify(id).slice(1, -1), 'id'), text);
}

/** How the ids are asked for, and which rows must stay as they are. */
interface Asking {
  /** (Default: the live key) */
  readonly key?: string;
  /** What the ids name, in the words of a failure. */
  readonly what: string;
  watch(): Promise<Rows>;
}

/** Each of the ids is answered like one that no row has, and its row stays as it is. */
export async function assertLooksMissing(one: Case, ids: ForeignIds, { key, what, watch }: Asking): Promise<void> {
  const request = key === undefined ? {} : { key };
  const { operation } = one;
  const missing = variationsOf(one, unlike(ids));
  const before = await watch();
  for (const [index, named] of variationsOf(one, ids).entries()) {
    const nowhere = missing[index];
    if (nowhere === undefined) throw new Error('Both kinds of ids have the same parts.');
    const theirs = await send(one, named.changes, request);
    const nobodys = await send(one, nowhere.changes, request);
    const text = `${what} in ${named.part} is answered ${theirs.status}: ${JSON.stringify(theirs.body)}`;
    assert.equal(theirs.status, nobodys.status, text);
    // Repeating a natural operation is harmless: it may say that there was nothing to do. A search may find nothing.
    if (operation.idempotency !== 'natural' && (named.part === 'params' || isMutating(operation)))
      assert.equal(theirs.status, 404, text);
    assert.equal(
      withoutIds(theirs, named.ids),
      withoutIds(nobodys, nowhere.ids),
      `${what} in ${named.part} can be told from a missing one`,
    );
  }
  assert.deepEqual(changesBetween(before, await watch()), [], `a call that names ${what} changed its rows`);
}

async function hidesForeignRows(one: Case): Promise<void> {
  const { test, operation, fixture } = one;
  const { foreign } = fixture;
  const ids = foreignIds(fixture);
  if (typeof foreign === 'string') assert.match(foreign, /^none: \S/, 'say why the path names no row');
  else if (operation.path.includes('{'))
    assert.ok(
      ids?.params !== undefined,
      `the fixture of ${operation.id} names no foreign id. Its path has parameters: give \`foreign\` a row of kit.foreignWorkspaceId, or say 'none: ' and why they name no row.`,
    );
  if (ids === undefined) return;
  await assertLooksMissing(one, ids, {
    what: "another workspace's id",
    watch: () => rowsOf(test, [test.foreignWorkspaceId]),
  });
}

/** The check of operations that name rows. */
export const foreignCheck: Check = { name: "answers another workspace's id as a missing one", run: hidesForeignRows };
