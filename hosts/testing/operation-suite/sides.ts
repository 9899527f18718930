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
const pick = <T>(values: Readonly<Record<string, T>> = {}, names: object = {}): Record<string, T> =>
  Object.fromEntries(
    Object.keys(names).flatMap((name) => {
      const value = values[fieldOfPath(name)];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The fixture's own values at the paths of its foreign ids: the ids by which a request names rows. */
function idsOfFixture({ fixture }: OperationCase): ForeignIds {
  const ids = withoutForeignExemptions(foreignIds(fixture) ?? {});
  return {
    params: fixture.params ?? {},
    query: pick(fixture.query, ids.query),
    body: pick(fixture.body as Readonly<Record<string, unknown>> | undefined, ids.body),
    otherwise: ids.otherwise ?? {},
  };
}

/** Only the ids that name rows of tables with sides. */
async function idsOfSidedRows(testCase: OperationCase, ids: ForeignIds): Promise<ForeignIds> {
  const idsOnSide = await idsWithSide(testCase.test, textsIn(ids));
  const keepSided = <T>(values: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(
      Object.entries(values).filter(([, value]) => textsIn(value).some((text) => idsOnSide.has(text))),
    );
  const params = keepSided(ids.params);
  return {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    query: keepSided(ids.query),
    body: keepSided(ids.body),
    otherwise: ids.otherwise ?? {},
  };
}

async function refusesSandboxKey(testCase: OperationCase): Promise<void> {
  const before = await rowsOf(testCase.test);
  const { status, body } = await send(testCase, {}, { key: testCase.test.testKey });
  assert.equal(status, 403);
  assert.equal(body.error.code, 'live_key_required');
  assert.deepEqual(changesBetween(before, await rowsOf(testCase.test)), [], 'a refused call changed rows');
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
  const [liveItem, sandboxItem] = [await make(live), await make(sandbox)];
  const liveList = await readWholeList(live);
  const field = fieldOf(liveList, liveItem);
  const names = (entries: Awaited<ReturnType<typeof readWholeList>>): string[] =>
    entries.map((entry) => String(entry[field]));
  const key = test.testKey;
  const haveSides = (await idsWithSide(test, [liveItem])).has(liveItem);
  const onSandbox = names(await readWholeList(haveSides ? sandbox : live, { key }));
  if (haveSides) {
    assert.ok(onSandbox.includes(sandboxItem), 'the sandbox side lacks its own row');
    assert.ok(!onSandbox.includes(liveItem), 'the sandbox side lists a row of the live side');
    assert.equal(
      names(liveList).includes(sandboxItem),
      operation.liveListsBoth,
      operation.liveListsBoth
        ? 'a live key does not see a row of the sandbox side'
        : 'the live side lists a row of the sandbox side',
    );
  } else assert.ok(onSandbox.includes(liveItem), 'a sandbox key does not see a row that both sides share');
}

async function keepsSidesApart(live: OperationCase): Promise<void> {
  const { test, operation } = live;
  if (operation.liveOnly) return refusesSandboxKey(live);
  const kit = createFixtureKit(test, { sandbox: true });
  const sandbox: OperationCase = { ...live, kit, fixture: await operation.fixture(kit) };
  const [liveIds, sandboxIds] = [
    await idsOfSidedRows(live, idsOfFixture(live)),
    await idsOfSidedRows(sandbox, idsOfFixture(sandbox)),
  ];
  const key = test.testKey;
  await assertSameAsMissing(live, sandboxIds, {
    rowText: 'an id of the sandbox side',
    watch: () => rowsOnSide(test, true),
  });
  await assertSameAsMissing(sandbox, liveIds, {
    key,
    rowText: 'an id of the live side',
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
