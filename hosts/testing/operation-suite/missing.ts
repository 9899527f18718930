// Ids that must look missing: another workspace's row, and a row of the other side, are answered like one that is nowhere.
import * as assert from 'node:assert/strict';
import { type FixtureRequest, type ForeignIds, foreignIds } from '../../../core/contract/fixture.ts';
import type { TestResponse } from '../test-service.ts';
import { type FieldPart, fieldOfPath, idsInField, nobodys, placesOf, untried, withoutExcuses } from './references.ts';
import { type Case, type Check, isMutating, send, textsIn } from './request.ts';
import { changesBetween, keysOfRows, type Rows, rowsOf } from './rows.ts';

/** A request that names one row that must look missing. */
interface Variation {
  readonly part: 'params' | FieldPart;
  /** The name under which `foreign` gives it; empty for the path. */
  readonly name: string;
  readonly changes: FixtureRequest;
  /** The values in it that name the row. */
  readonly ids: readonly string[];
}

/** The requests that name these ids: the path's at once, those of query and body one at a time. */
export function variationsOf({ operation, fixture }: Case, ids: ForeignIds): Variation[] {
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

/** The answer without the ids that were asked for; what was made has other ids each time. */
function withoutIds({ status, body }: TestResponse, ids: readonly string[]): string {
  const made = status < 300 ? /\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b/g : /req_\w{26}/g;
  // What is suggested is a row of the caller's own, by how alike its name is to the id that was asked for.
  const text = (JSON.stringify(body) ?? '').replaceAll(made, 'made').replace(/ Did you mean [^?]*\?/, '');
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

/** Whether the refusal says that the row is not there. */
const namesMissing = ({ status, body }: TestResponse, { part, name }: Variation): boolean =>
  status === 404 ||
  (part !== 'params' &&
    (body.error?.details ?? []).some(
      ({ code, path }: { code: string; path: string }) => code === 'unknown' && fieldOfPath(path) === fieldOfPath(name),
    ));

/** Each of the ids is answered like one that no row has, and its row stays as it is. */
export async function assertLooksMissing(one: Case, ids: ForeignIds, { key, what, watch }: Asking): Promise<void> {
  const request = key === undefined ? {} : { key };
  const { operation } = one;
  const missing = variationsOf(one, nobodys(operation, ids));
  const before = await watch();
  for (const [index, named] of variationsOf(one, ids).entries()) {
    const nowhere = missing[index];
    if (nowhere === undefined) throw new Error('Both kinds of ids have the same parts.');
    const isOtherwise = ids.otherwise?.[named.name] !== undefined;
    // What succeeds takes a key or a place, which the second call would find taken.
    const asked = isOtherwise ? { ...request, headers: { 'dry-run': 'true' } } : request;
    const theirs = await send(one, named.changes, asked);
    const nobody = await send(one, nowhere.changes, asked);
    if (isOtherwise) await send(one, named.changes, request);
    const place = named.name === '' ? named.part : `${named.part}.${named.name}`;
    const text = `${what} in ${place} is answered ${theirs.status}: ${JSON.stringify(theirs.body)}`;
    assert.equal(theirs.status, nobody.status, text);
    // Repeating a natural operation is harmless: it may say that there was nothing to do. A search may find nothing.
    const mustBeRefused = operation.idempotency !== 'natural' && (named.part === 'params' || isMutating(operation));
    if (mustBeRefused && !isOtherwise) assert.ok(namesMissing(theirs, named), text);
    assert.equal(
      withoutIds(theirs, named.ids),
      withoutIds(nobody, nowhere.ids),
      `${what} in ${place} can be told from a missing one`,
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
  const open = untried(operation, ids ?? {}, placesOf(await keysOfRows(test), fixture));
  assert.deepEqual(
    open,
    [],
    `these fields of ${operation.id} name rows, and no foreign id is tried in them. Give \`foreign\` a row of kit.foreignWorkspaceId, or say 'none: ' and why the field names no row: foreign: { query: { … }, body: { … } } in the fixture, in defineList foreign: async (kit) => ({ name of the filter: … }).`,
  );
  if (ids === undefined) return;
  await assertLooksMissing(one, withoutExcuses(ids), {
    what: "another workspace's id",
    watch: () => rowsOf(test, [test.foreignWorkspaceId]),
  });
}

/** The check of operations that name rows. */
export const foreignCheck: Check = { name: "answers another workspace's id as a missing one", run: hidesForeignRows };
