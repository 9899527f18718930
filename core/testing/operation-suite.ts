// The generated tests of operations, made from each one's fixture: success, every missing scope, another
// workspace's ids, unknown fields, replay, dry run. Called by a plugin's test file with its runner's `test(name, fn)`.
import * as assert from 'node:assert/strict';
import type { FixtureKit } from '../contract/fixture.ts';
import type { Fixture, Operation } from '../contract/operation.ts';
import { callInProcess } from '../kernel/in-process.ts';
import { createEffects } from '../pipeline/call-effects.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';
import type { AnyTestService, TestRequest, TestResponse } from './test-service.ts';

type Register = (name: string, run: () => Promise<void>) => void;

/** The kit behind fixtures, on a test service. `actor` is who its calls are made by. */
export function createFixtureKit(test: AnyTestService, actor = 'fixture'): FixtureKit {
  const { service, workspaceId, foreignWorkspaceId } = test;
  const { core } = service;
  let counter = 0;
  return {
    workspaceId,
    foreignWorkspaceId,
    services: core.services,
    apiKey: async (owner = workspaceId) =>
      (await service.keys.create({ workspaceId: owner, name: 'fixture', preset: 'read' })).id,
    unique(prefix) {
      counter += 1;
      return `${prefix}-${counter}-${core.ports.ids.create('x').slice(-6)}`;
    },
    async call(operationId, flat, owner = workspaceId) {
      const operation = core.registry.operations.get(operationId);
      if (operation === undefined) throw new Error(`The fixture calls ${operationId}, which is not composed.`);
      return (await callInProcess(core, operation, owner, { actor }, flat, {})) as Record<string, unknown>;
    },
    async write(work, owner = workspaceId) {
      const database = await core.database();
      const workspace = await database.read(owner, (handle) => findWorkspace(handle, core.plans));
      if (workspace === undefined) throw new Error(`There is no workspace ${owner}.`);
      return database.transact(async (scope) => {
        const result = await work(createEffects({ core, scope, workspace, now: core.ports.now(), sandbox: false }));
        await scope.flush();
        return result;
      });
    },
  };
}

const pathOf = (
  operation: Operation,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
): string => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
};

interface Case {
  readonly test: AnyTestService;
  readonly operation: Operation;
  readonly fixture: Fixture;
}

function send(
  { test, operation, fixture }: Case,
  extra: TestRequest = {},
  params = fixture.params,
): Promise<TestResponse> {
  const takesBody = operation.input.body !== undefined;
  return test.request(pathOf(operation, params, fixture.query), {
    method: operation.method,
    ...(takesBody ? { body: fixture.body ?? {} } : {}),
    ...extra,
  });
}

const withKey = (key: string): TestRequest => ({ headers: { 'idempotency-key': key } });

/** How many rows every table of the workspace holds: what a refused or rolled-back call must not change. */
async function countRows(test: AnyTestService): Promise<Record<string, number>> {
  const { core } = test.service;
  const database = await core.database();
  const counts: Record<string, number> = {};
  for (const [table, { tenant }] of core.registry.tables) {
    if (!tenant) continue;
    const row = await database.read(test.workspaceId, (handle) =>
      handle.db
        .selectFrom(table as 'audit')
        .select((builder) => builder.fn.countAll<number>().as('rows'))
        .where('workspace_id', '=', test.workspaceId)
        .executeTakeFirstOrThrow(),
    );
    counts[table] = Number(row.rows);
  }
  return counts;
}

async function succeeds(one: Case): Promise<TestResponse> {
  const response = await send(one, withKey(`success-${one.operation.id}`));
  assert.equal(
    response.status,
    one.operation.status,
    `the fixture of ${one.operation.id} is refused: ${JSON.stringify(response.body)}`,
  );
  return response;
}

/** Registers the tests of every operation of the plugin `pluginId`. `open` gives the service of one test. */
export function operationSuite(
  pluginId: string,
  open: () => Promise<AnyTestService>,
  operations: readonly Operation[],
  register: Register,
): void {
  const each = (operation: Operation, name: string, run: (one: Case) => Promise<void>) =>
    register(`${pluginId}: ${operation.id} ${name}`, async () => {
      const test = await open();
      try {
        await run({ test, operation, fixture: await operation.fixture(createFixtureKit(test)) });
      } finally {
        await test.close();
      }
    });

  for (const operation of operations) {
    const mutating = operation.idempotency !== 'read';
    each(operation, 'answers its fixture', async (one) => {
      await succeeds(one);
      const entries = await one.test.request('/v1/audit?limit=100');
      if (entries.status !== 200 || operation.audit === undefined) return;
      const actions = (entries.body.data as { action: string }[]).map((entry) => entry.action);
      assert.ok(actions.includes(operation.audit.action), `no audit entry ${operation.audit.action} was written`);
    });

    each(operation, 'needs a key and its scope', async (one) => {
      assert.equal((await send(one, { key: '' })).status, 401);
      const others = one.test.service.core.registry.scopes.preset('full');
      const { expand } = one.test.service.core.registry.scopes;
      const without = others.filter((scope) => !operation.scopes.some((needed) => expand([scope]).has(needed)));
      if (operation.anyKey || without.length === 0) return;
      const before = await countRows(one.test);
      const key = await one.test.keyWith(without);
      const refused = await send(one, { key, ...withKey('scope') });
      assert.equal(refused.status, 403);
      assert.equal(refused.body.error.code, 'insufficient_scope');
      for (const scope of operation.scopes)
        assert.ok(refused.body.error.message.includes(scope), 'the message names the scope');
      const after = await countRows(one.test);
      assert.deepEqual(
        { ...after, api_keys: 0, audit: 0 },
        { ...before, api_keys: 0, audit: 0 },
        'a refused call left rows',
      );
      await succeeds(one);
    });

    if (operation.path.includes('{'))
      each(operation, "answers another workspace's id as a missing one", async (one) => {
        const { foreign } = one.fixture;
        if (foreign === undefined) {
          assert.equal(
            operation.path.includes('{') && operation.idempotency !== 'natural',
            false,
            `the fixture of ${operation.id} names no foreign id`,
          );
          return;
        }
        const missing = Object.fromEntries(Object.entries(foreign).map(([name, id]) => [name, unlike(id)]));
        const [theirs, nobodys] = [
          await send(one, withKey('foreign'), foreign),
          await send(one, withKey('missing'), missing),
        ];
        assert.equal(theirs.status, 404);
        assert.equal(nobodys.status, 404);
        const blank = (response: TestResponse) =>
          JSON.stringify(response.body)
            .replaceAll(/req_\w{26}/g, 'req')
            .replaceAll(...valuesOf(foreign))
            .replaceAll(...valuesOf(missing));
        assert.equal(blank(theirs), blank(nobodys), 'a foreign id can be told from a missing one');
      });

    each(operation, 'refuses an unknown field', async (one) => {
      const response =
        operation.input.body === undefined
          ? await one.test.request(pathOf(operation, one.fixture.params, { ...one.fixture.query, surprise: '1' }), {
              method: operation.method,
            })
          : await send(
              { ...one, fixture: { ...one.fixture, body: { ...(one.fixture.body as object), surprise: 1 } } },
              withKey('unknown'),
            );
      assert.equal(response.status, 422);
      assert.equal(response.body.error.code, 'validation_failed');
      assert.ok(response.body.error.details.some((detail: { path: string }) => detail.path === 'surprise'));
    });

    if (mutating) {
      each(operation, 'leaves nothing behind a dry run', async (one) => {
        const before = await countRows(one.test);
        const response = await send(one, { headers: { 'dry-run': 'true', 'idempotency-key': 'dry' } });
        assert.equal(response.status, operation.status, JSON.stringify(response.body));
        assert.equal(response.headers['Dry-Run'], 'true');
        assert.deepEqual(await countRows(one.test), before);
        await succeeds(one);
        assert.notDeepEqual(await countRows(one.test), before, 'the control changed nothing either');
      });
    }

    if (operation.idempotency === 'replay') {
      each(operation, 'replays its answer to a repeated key, and only to the same request', async (one) => {
        const first = await send(one, withKey('replay'));
        assert.equal(first.status, operation.status, JSON.stringify(first.body));
        const rows = await countRows(one.test);
        const second = await send(one, withKey('replay'));
        assert.equal(second.status, first.status);
        assert.deepEqual(second.body, first.body);
        assert.equal(second.headers['Idempotent-Replay'], 'true');
        assert.deepEqual(await countRows(one.test), rows, 'the replay wrote something');
        const other = await send({ ...one, fixture: otherThan(operation, one.fixture) }, withKey('replay'));
        assert.equal(other.body.error?.code, 'idempotency_key_mismatch', JSON.stringify(other.body));
        one.test.advanceClock(86_400_000 - 1);
        assert.equal(
          (await send(one, withKey('replay'))).headers['Idempotent-Replay'],
          'true',
          'replayed for 24 hours',
        );
      });
    }
  }
}

/** Another request: with another body, or on another row where no body is taken. */
function otherThan(operation: Operation, fixture: Fixture): Fixture {
  if (operation.input.body !== undefined)
    return { ...fixture, body: { ...(fixture.body as object), surprise: undefined, ...differing(operation, fixture) } };
  const entries = Object.entries(fixture.params ?? {}).map(([name, id]) => [name, unlike(id)] as const);
  return { ...fixture, params: Object.fromEntries(entries) };
}

/** An id of the same form that nothing has. */
const unlike = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;

/** A valid field with another value than the fixture's: the first text or flag that the body declares. */
function differing(operation: Operation, fixture: Fixture): Record<string, unknown> {
  const shape = operation.input.body?.shape ?? {};
  const given = (fixture.body ?? {}) as Record<string, unknown>;
  for (const [name, schema] of Object.entries(shape)) {
    for (const value of ['different', 'different@example.org', true, null, 'manual', 7, ['different']]) {
      if (
        JSON.stringify(given[name]) !== JSON.stringify(value) &&
        (schema as { safeParse(v: unknown): { success: boolean } }).safeParse(value).success
      ) {
        return { [name]: value };
      }
    }
  }
  throw new Error(`No field of ${operation.id} takes another value.`);
}

const valuesOf = (ids: Readonly<Record<string, string>>): [RegExp, string] => [
  new RegExp(
    Object.values(ids)
      .map((id) => id.replaceAll(/[^\w-]/g, '.'))
      .join('|'),
    'g',
  ),
  'id',
];
