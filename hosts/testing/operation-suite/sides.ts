// The checks of operations on the two sides of a workspace: rows of tables with sides are missing on the other side, shared rows
// can be read, and operations for live keys only are refused to sandbox keys.
import * as assert from 'node:assert/strict';
import { type ForeignIds, foreignIds } from '../../../core/contract/declaration/fixture.ts';
import { createFixtureKit } from '../fixture-kit.ts';
import { fieldOf, readWholeList } from './lists.ts';
import { assertSameAsMissing } from './missing.ts';
import { fieldOfPath, withoutForeignExemptions } from './references.ts';
import { isMutating, type OperationCase, type OperationCheck, send, succeeds, textsIn } from './request.ts';
import { changesBetween, idsWithSide, rowsOf, rowsOnSide } from './rows.ts';

/** The values of the fields that `foreign` names, under its names. */
const picked = <T>(values: Readonly<Record<string, T>> = {}, names: object = {}): Record<string, T> =>
  Object.fromEntries(
    Object.keys(names).flatMap((name) => {
      const value = values[fieldOfPath(name)];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The fixture's own values in the places of its foreign ids: the ids by which a request names rows. */
function namedBy({ fixture }: OperationCase): ForeignIds {
  const ids = withoutForeignExemptions(foreignIds(fixture) ?? {});
  return {
    params: fixture.params ?? {},
    query: picked(fixture.query, ids.query),
    body: picked(fixture.body as Readonly<Record<string, unknown>> | undefined, ids.body),
    otherwise: ids.otherwise ?? {},
  };
}

/** Only the ids that name rows of tables with sides. */
async function sided(one: OperationCase, ids: ForeignIds): Promise<ForeignIds> {
  const idsOnSide = await idsWithSide(one.test, textsIn(ids));
  const kept = <T>(values: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(
      Object.entries(values).filter(([, value]) => textsIn(value).some((text) => idsOnSide.has(text))),
    );
  const params = kept(ids.params);
  return {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    query: kept(ids.query),
    body: kept(ids.body),
    otherwise: ids.otherwise ?? {},
  };
}

async function refusesSandboxKey(one: OperationCase): Promise<void> {
  const before = await rowsOf(one.test);
  const { status, body } = await send(one, {}, { key: one.test.testKey });
  assert.equal(status, 403);
  assert.equal(body.error.code, 'live_key_required');
  assert.deepEqual(changesBetween(before, await rowsOf(one.test)), [], 'a refused call changed rows');
}

/**
 * Checks that each side's list shows its own items if their rows have a side, and all items if they are shared. A list with
 * `liveListsBoth` shows both sides to a live key.
 */
async function listsOwnSide(live: OperationCase, sandbox: OperationCase): Promise<void> {
  const { test, operation } = live;
  const { exampleRow } = operation;
  if (typeof exampleRow !== 'function') return;
  const make = ({ kit, fixture }: OperationCase) => exampleRow(kit, test.workspaceId, fixture.params ?? {});
  const [mine, theirs] = [await make(live), await make(sandbox)];
  const shown = await readWholeList(live);
  const field = fieldOf(shown, mine);
  const names = (entries: Awaited<ReturnType<typeof readWholeList>>): string[] =>
    entries.map((entry) => String(entry[field]));
  const key = test.testKey;
  const haveSides = (await idsWithSide(test, [mine])).has(mine);
  const onSandbox = names(await readWholeList(haveSides ? sandbox : live, { key }));
  if (haveSides) {
    assert.ok(onSandbox.includes(theirs), 'the sandbox side lacks its own row');
    assert.ok(!onSandbox.includes(mine), 'the sandbox side lists a row of the live side');
    assert.equal(
      names(shown).includes(theirs),
      operation.liveListsBoth,
      operation.liveListsBoth
        ? 'a live key does not see a row of the sandbox side'
        : 'the live side lists a row of the sandbox side',
    );
  } else assert.ok(onSandbox.includes(mine), 'a sandbox key does not see a row that both sides share');
}

async function keepsSidesApart(live: OperationCase): Promise<void> {
  const { test, operation } = live;
  if (operation.liveOnly) return refusesSandboxKey(live);
  const kit = createFixtureKit(test, { sandbox: true });
  const sandbox: OperationCase = { ...live, kit, fixture: await operation.fixture(kit) };
  const [liveIds, sandboxIds] = [await sided(live, namedBy(live)), await sided(sandbox, namedBy(sandbox))];
  const key = test.testKey;
  await assertSameAsMissing(live, sandboxIds, {
    what: 'an id of the sandbox side',
    watch: () => rowsOnSide(test, true),
  });
  await assertSameAsMissing(sandbox, liveIds, {
    key,
    what: 'an id of the live side',
    watch: () => rowsOnSide(test, false),
  });
  await listsOwnSide(live, sandbox);
  const isShared = textsIn(liveIds).length === 0;
  if (isShared && !isMutating(operation)) await succeeds(live, {}, { key });
  const before = await rowsOnSide(test, false);
  await succeeds(sandbox, {}, { key });
  assert.deepEqual(changesBetween(before, await rowsOnSide(test, false)), [], 'a sandbox key changed live rows');
}

/** The check of the two sides. */
export const sidesCheck: OperationCheck = { name: 'keeps the live and the sandbox side apart', run: keepsSidesApart };
