// A small plugin for testing the generated suite. Without a fault it passes. Each fault changes one operation in one way.
import { z } from 'zod';
import {
  defineList,
  defineOperation,
  defineOperationWithPrepare,
  definePlugin,
  emailAddress,
  errorDefinitions,
  type FixtureKit,
  type Handle,
  type OperationContext,
  presenter,
  type RowConditions,
  tenantRows,
  type WorkspaceHandle,
} from '../../core/index.ts';
import type { AnyTestService } from '../../hosts/testing/test-service.ts';
import type { TrunkFault } from './trunk-faults.ts';
import { errors, migration, trunks } from './trunk-tables.ts';

/** The service in which the plugin runs, for faults that write outside its own transaction. */
export interface SideChannel {
  test?: AnyTestService;
}

const trunk = z.object({ id: z.string(), label: z.string(), owner: z.string().nullable() });
const rows = tenantRows(trunks);
const present = presenter(trunks, trunk);
const params = z.object({ id: z.string() });
const target = ({ id }: { id: string }) => ({ kind: 'trunk', id });

const someTrunk = async (kit: FixtureKit, workspaceId: string): Promise<string> => {
  const { id } = await kit.call('trunks.create', { label: kit.unique('trunk') }, workspaceId);
  return String(id);
};

const someFixture = async (kit: FixtureKit) => ({
  params: { id: await someTrunk(kit, kit.workspaceId) },
  foreign: { id: await someTrunk(kit, kit.foreignWorkspaceId) },
});

/** Inserts a live job, on whichever side the handle is. */
const liveJob = ({ db, workspaceId }: WorkspaceHandle, id: string, now: number) =>
  db.insertInto('jobs').values({
    id,
    workspace_id: workspaceId,
    kind: 'trunks.none',
    lane: 1,
    concurrency_key: workspaceId,
    state: 'waiting',
    payload: '{}',
    sandbox: 0,
    waiting_key: null,
    subject: null,
    attempt: 0,
    crashes: 0,
    run_at: now,
    created_at: now,
    lease_token: null,
    lease_until: null,
    handed_until: null,
    traceparent: null,
    finished_at: null,
    reason: null,
  });

/** An unscoped handle, which reads rows of every workspace. */
const everywhere = (handle: WorkspaceHandle): Handle => handle.unscoped('a planted fault');

const findAnywhere = ({ trx, sandbox }: OperationContext, id: string) =>
  everywhere(trx)
    .db.selectFrom('trunks')
    .select('workspace_id')
    .where('id', '=', id)
    .where('sandbox', '=', sandbox ? 1 : 0)
    .executeTakeFirst();

/** A condition for the rows of one side, for an unscoped handle. */
const ofSide =
  (sandbox: boolean): RowConditions =>
  (columns) => [columns('sandbox', '=', sandbox ? 1 : 0)];

function listRows(fault: TrunkFault | undefined): typeof rows {
  return {
    ...rows,
    page(handle, { after, ...request }) {
      const next = after === undefined ? {} : { after };
      if (fault === 'a list shows a foreign row')
        return rows.page(everywhere(handle) as WorkspaceHandle, { ...request, ...next });
      if (fault === 'a list shows the other side')
        return rows.page(handle.bothSides('a planted fault'), { ...request, ...next });
      if (fault === 'a list repeats a row' && after !== undefined)
        return rows.page(handle, { ...request, after: { ...after, id: `${after.id}~` } });
      if (fault === 'a list omits a row' && after !== undefined)
        return rows.page(handle, { ...request, after: { ...after, id: '' } });
      return rows.page(handle, { ...request, ...next });
    },
  };
}

function listTrunks(fault: TrunkFault | undefined) {
  const list = defineList({
    id: 'trunks.list',
    summary: 'List trunks',
    http: 'GET /v1/trunks',
    scopes: ['trunks:read'],
    rows: listRows(fault),
    item: trunk,
    // Without this condition, an unscoped handle would list the rows of both sides.
    conditions: (_query, { sandbox }) => (fault === 'a list shows a foreign row' ? ofSide(sandbox) : undefined),
    present,
    exampleRow: someTrunk,
  });
  if (fault === 'a list lacks its example item') return { ...list, exampleRow: undefined };
  if (fault !== 'a list accepts any cursor') return list;
  return defineOperation({
    id: 'trunks.list',
    summary: 'List trunks',
    http: 'GET /v1/trunks',
    scopes: ['trunks:read'],
    idempotency: 'read',
    input: { query: z.object({ cursor: z.string().optional(), limit: z.coerce.number().default(25) }) },
    output: z.object({ data: z.array(trunk), next_cursor: z.string().nullable() }),
    fixture: async () => ({}),
    exampleRow: someTrunk,
    async handler({ trx }, { query: { cursor, limit } }) {
      const all = await rows.page(trx, { limit: 1_000 });
      const start = Number.parseInt(cursor ?? '0', 10) || 0;
      const page = all.slice(start, start + limit).map(present);
      return { data: page, next_cursor: start + limit < all.length ? String(start + limit) : null };
    },
  });
}

const createTrunk = (fault: TrunkFault | undefined) =>
  defineOperation({
    id: 'trunks.create',
    summary: 'Create a trunk',
    http: 'POST /v1/trunks',
    scopes: ['trunks:write'],
    idempotency: 'replay',
    input: { body: z.object({ label: z.string(), owner: emailAddress.nullable().default(null) }) },
    output: trunk,
    status: 201,
    audit: { action: 'trunk.create', target },
    fixture: async (kit) => ({ body: { label: kit.unique('trunk'), owner: 'ada@example.com' } }),
    async handler({ trx, newId, now }, { body: { label, owner } }) {
      const id = newId('trk');
      const row = await rows.insert(trx, { id, label, owner, created_at: now, updated_at: now });
      if (fault === 'an address is stored without normalising')
        await trx.db.updateTable('trunks').set({ owner }).where('id', '=', id).execute();
      return fault === 'an answer shows an address that is not normalised' ? { ...present(row), owner } : present(row);
    },
  });

const readTrunk = (fault: TrunkFault | undefined) =>
  defineOperation({
    id: 'trunks.read',
    summary: 'Read a trunk',
    http: 'GET /v1/trunks/{id}',
    scopes: ['trunks:read'],
    idempotency: 'read',
    input: { params },
    output: trunk,
    errors: ['trunk_not_found'],
    fixture: someFixture,
    async handler({ trx }, { params: { id } }) {
      const handle = fault === 'a read sees the other side' ? trx.bothSides('a planted fault') : trx;
      const row = await rows.find(handle, id);
      if (row === undefined) throw errors.trunk_not_found({ id });
      return present(row);
    },
  });

/** Writes a change outside the transaction of the call. */
async function leak({ test }: SideChannel, workspaceId: string, id: string): Promise<void> {
  const database = await test?.service.core.database();
  await database?.transact(({ handle }) => rows.update(handle(workspaceId), id, { updated_at: 1 }));
}

function renameTrunk(fault: TrunkFault | undefined, channel: SideChannel) {
  return defineOperationWithPrepare({
    id: 'trunks.rename',
    summary: 'Rename a trunk',
    http: 'PATCH /v1/trunks/{id}',
    scopes: ['trunks:write'],
    idempotency: 'replay',
    input: { params, body: z.object({ label: z.string() }) },
    output: trunk,
    errors: ['trunk_not_found'],
    audit: { action: 'trunk.rename', target },
    fixture: async (kit) => ({ ...(await someFixture(kit)), body: { label: 'Renamed' } }),
    async prepare({ workspace, read }, { params: { id } }) {
      if ((await read(({ trx }) => rows.find(trx, id))) === undefined) throw errors.trunk_not_found({ id });
      if (fault === 'a dry run leaks an update') await leak(channel, workspace.id, id);
    },
    async handler({ trx, now, sandbox, newId }, { params: { id }, body: { label } }) {
      await rows.update(trx, id, { label, updated_at: now });
      if (fault === 'a sandbox key writes a live job' && sandbox) await liveJob(trx, newId('job'), now).execute();
      if (fault === 'a sandbox key changes a live row' && sandbox)
        for await (const batch of rows.each(trx.onSide(false)))
          for (const row of batch) await rows.update(trx.onSide(false), row.id, { label: 'Lost' });
      const row = await rows.find(trx, id);
      if (row === undefined) throw errors.trunk_not_found({ id });
      return present(row);
    },
  });
}

function tagTrunk(fault: TrunkFault | undefined) {
  const errorCases = {
    'no case raises a declared error': undefined,
    'an error case raises another error': async () => ({ body: { trunk_id: 'trk_1', text: 'x' } }),
    'the named test does not mention the error': 'unreachable here: shown in test/core/scopes.test.ts' as const,
  };
  return defineOperation({
    id: 'trunks.tag',
    summary: 'Make a tag for a trunk',
    http: 'POST /v1/trunks/tags',
    scopes: ['trunks:write'],
    idempotency: 'replay',
    input: { body: z.object({ trunk_id: z.string(), text: z.string() }) },
    output: z.object({ id: z.string(), text: z.string() }),
    representations: {
      'text/plain': {
        description: 'The tag as text.',
        render: ({ output }) => ({ bytes: fault === 'a media type has no bytes' ? '' : output.text }),
      },
    },
    errors: ['trunk_not_found', 'trunk_locked'],
    audit: { action: 'trunk.tag', target },
    async fixture(kit) {
      const id = await someTrunk(kit, kit.workspaceId);
      const errorCase =
        fault !== undefined && fault in errorCases
          ? errorCases[fault as keyof typeof errorCases]
          : async () => ({ body: { trunk_id: id, text: 'locked' } });
      return {
        body: { trunk_id: id, text: 'Fragile' },
        foreign: { body: { trunk_id: await someTrunk(kit, kit.foreignWorkspaceId) } },
        ...(errorCase === undefined ? {} : { errors: { trunk_locked: errorCase } }),
      };
    },
    async handler(ctx, { body: { trunk_id: id, text } }) {
      const row = await rows.find(ctx.trx, id);
      if (row === undefined) {
        const isRevealed =
          fault === 'an answer reveals a foreign id in the body' && (await findAnywhere(ctx, id)) !== undefined;
        throw isRevealed ? errors.trunk_locked() : errors.trunk_not_found({ id });
      }
      if (text === 'locked') throw errors.trunk_locked();
      return { id, text };
    },
  });
}

/** The body names rows in a list, and one row in a field whose name does not show it. */
const packTrunks = (fault: TrunkFault | undefined) => {
  const object = fault === 'a nested object ignores an unknown field' ? z.object : z.strictObject;
  return defineOperation({
    id: 'trunks.pack',
    summary: 'Pack things into trunks',
    http: 'POST /v1/trunks/pack',
    scopes: ['trunks:write'],
    idempotency: 'replay',
    input: {
      body: z.object({
        pieces: z.array(object({ what: z.string(), trunkId: z.string() })),
        beside: z.string().optional(),
      }),
    },
    output: z.object({ packed: z.int() }),
    errors: ['trunk_not_found', 'trunk_locked'],
    audit: { action: 'trunk.pack', target: () => ({ kind: 'trunk', id: 'all' }) },
    async fixture(kit) {
      const [ownTrunk, foreignTrunk] = [
        await someTrunk(kit, kit.workspaceId),
        await someTrunk(kit, kit.foreignWorkspaceId),
      ];
      return {
        body: { pieces: [{ what: 'Hat', trunkId: ownTrunk }], beside: ownTrunk },
        foreign: {
          body: {
            ...(fault === 'a nested foreign reference is not declared'
              ? {}
              : { pieces: [{ what: 'Hat', trunkId: foreignTrunk }] }),
            ...(fault === 'a foreign row in a field is not declared' ? {} : { beside: foreignTrunk }),
          },
        },
        errors: {
          trunk_not_found: async () => ({ body: { pieces: [], beside: 'trk_nowhere' } }),
          trunk_locked: 'unreachable: nothing locks a trunk here',
        },
      };
    },
    async handler(ctx, { body: { pieces, beside } }) {
      for (const id of [...pieces.map(({ trunkId }) => trunkId), ...(beside === undefined ? [] : [beside])]) {
        if ((await rows.find(ctx.trx, id)) !== undefined) continue;
        const isRevealed =
          fault === 'an answer reveals a nested foreign id' && (await findAnywhere(ctx, id)) !== undefined;
        throw isRevealed ? errors.trunk_locked() : errors.trunk_not_found({ id });
      }
      return { packed: pieces.length };
    },
  });
};

const listLabels = (fault: TrunkFault | undefined) =>
  defineOperation({
    id: 'trunks.labels',
    summary: 'List the trunks without pages',
    http: 'GET /v1/trunks/labels',
    scopes: ['trunks:read'],
    idempotency: 'read',
    output: z.object({ data: z.array(trunk) }),
    fixture: async () => ({}),
    ...(fault === 'a whole list lacks its example item' ? {} : { exampleRow: someTrunk }),
    async handler({ trx, sandbox }) {
      const handle = fault === 'a whole list shows a foreign row' ? (everywhere(trx) as WorkspaceHandle) : trx;
      const conditions = fault === 'a whole list shows a foreign row' ? ofSide(sandbox) : undefined;
      return { data: (await rows.page(handle, { limit: 1_000, conditions })).map(present) };
    },
  });

const deleteTrunk = (fault: TrunkFault | undefined) =>
  defineOperation({
    id: 'trunks.delete',
    summary: 'Delete a trunk',
    http: 'DELETE /v1/trunks/{id}',
    scopes: ['trunks:write'],
    idempotency: 'natural',
    input: { params },
    output: z.object({ id: z.string(), deleted: z.literal(true) }),
    audit: { action: 'trunk.delete', target },
    async fixture(kit) {
      const { params: named, foreign } = await someFixture(kit);
      return fault === 'a natural operation lacks a foreign id' ? { params: named } : { params: named, foreign };
    },
    async handler(ctx, { params: { id } }) {
      await rows.remove(ctx.trx, id);
      if (fault === 'a natural operation changes a foreign row' && (await findAnywhere(ctx, id)) !== undefined)
        await everywhere(ctx.trx).db.deleteFrom('trunks').where('id', '=', id).execute();
      return { id, deleted: true as const };
    },
  });

/** Creates the plugin, with at most one fault. */
export const trunkPlugin = (channel: SideChannel, fault?: TrunkFault) =>
  definePlugin({
    id: 'trunks',
    scopes: [
      { scope: 'trunks:read', description: 'For tests.' },
      { scope: 'trunks:write', description: 'For tests.' },
    ],
    operations: [
      listTrunks(fault),
      createTrunk(fault),
      readTrunk(fault),
      renameTrunk(fault, channel),
      tagTrunk(fault),
      packTrunks(fault),
      listLabels(fault),
      deleteTrunk(fault),
    ],
    errors: errorDefinitions(errors),
    tables: { trunks },
    migrations: [migration],
    personalData: { export: async () => ({}), erase: async () => 'done' },
  });
