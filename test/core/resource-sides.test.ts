// Tables of the resource kit that declare the column `sandbox`, so that their rows contain their side, changes of a locked row, and lists within a parent
import * as assert from 'uvu/assert';
import {
  column,
  defineErrors,
  defineList,
  defineMigration,
  definePlugin,
  defineTable,
  errorDefinitions,
  presenter,
  type StoredRow,
  tenantRows,
  timestamps,
  type WorkspaceHandle,
  z,
} from '../../core/index.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';

const kites = defineTable(
  'kites',
  {
    id: column.id('kit'),
    sandbox: column.flag(),
    colour: column.text().nullable(),
    tails: column.integer(),
    ...timestamps,
  },
  { sides: true },
);
const flights = defineTable(
  'flights',
  { id: column.id('flt'), kite_id: column.id('kit'), height: column.integer(), created_at: column.time() },
  { sides: true },
);

declare module '../../core/contract/open.ts' {
  interface Tables {
    kites: StoredRow<typeof kites>;
    flights: StoredRow<typeof flights>;
  }
}

const kiteRows = tenantRows(kites);
const flightRows = tenantRows(flights);
const errors = defineErrors({
  kite_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'There is no such kite.',
    message: (details: { id: string }) => `There is no kite ${details.id}.`,
  },
});
const flight = z.object({ id: z.string(), height: z.number() });

const listFlights = defineList({
  id: 'kites.flights',
  summary: 'List the flights of a kite',
  http: 'GET /v1/kites/{id}/flights',
  scopes: ['kites:read'],
  rows: flightRows,
  within: {
    rows: kiteRows,
    notFoundError: errors.kite_not_found,
    column: 'kite_id',
    exampleRow: async () => 'kit_1',
  },
  item: flight,
  present: presenter(flights, flight),
  exampleRow: async () => 'flt_1',
});

const ownColumns = { id: 'id', workspace_id: 'id', sandbox: 'flag' } as const;
const plugin = definePlugin({
  id: 'kites',
  scopes: [{ scope: 'kites:read', description: 'See kites.' }],
  errors: errorDefinitions(errors),
  operations: [listFlights],
  tables: { kites, flights },
  migrations: [
    defineMigration({
      id: '0001-kites',
      changes: [
        {
          create: 'kites',
          columns: { ...ownColumns, colour: 'text?', tails: 'integer', created_at: 'time', updated_at: 'time' },
          primaryKey: ['id'],
        },
        {
          create: 'flights',
          columns: { ...ownColumns, kite_id: 'id', height: 'integer', created_at: 'time' },
          primaryKey: ['id'],
        },
        { index: 'flights_list', on: 'flights', columns: ['workspace_id', 'sandbox', 'kite_id', 'created_at', 'id'] },
      ],
    }),
  ],
});

const kite = { id: 'kit_1', sandbox: false, colour: 'red', tails: 1, created_at: 1, updated_at: 1 };

await eachDatabase('rows that show their side', (test, database) => {
  const withSides = async (
    work: (
      on: <T>(sandbox: boolean, write: (handle: WorkspaceHandle) => Promise<T>) => Promise<T>,
      bench: Awaited<ReturnType<typeof open>>,
    ) => Promise<void>,
  ): Promise<void> => {
    const bench = await open();
    try {
      const { transact } = await bench.service.core.database();
      await work(
        (sandbox, write) => transact((scope) => write(scope.handle(oneSide(bench.workspaceId, sandbox)))),
        bench,
      );
    } finally {
      await bench.close();
    }
  };
  const open = () =>
    createTestService({ plugins: [plugin], storage: database.createStorage(), tablePrefix: database.newPrefix() });

  test('a new row gets the side of its handle and cannot name the other side', () =>
    withSides(async (on, { service, workspaceId }) => {
      await on(false, (handle) => kiteRows.insert(handle, kite));
      await on(true, (handle) => kiteRows.insertUnlessTaken(handle, { ...kite, id: 'kit_2', sandbox: true }));
      await on(true, (handle) =>
        kiteRows.insert(handle, kite).then(
          () => assert.unreachable(),
          ({ message }: Error) => assert.match(message, /A row of kites belongs to another side than its handle/),
        ),
      );
      assert.is(await on(true, (handle) => kiteRows.find(handle, 'kit_1')), undefined);
      const { read } = await service.core.database();
      const both = await read(workspaceId, (handle) => kiteRows.page(handle, { limit: 10 }));
      assert.equal(Object.fromEntries(both.map(({ id, sandbox }) => [id, sandbox])), { kit_1: false, kit_2: true });
    }));

  test('a change sets the given fields, ignores undefined, and returns the row', () =>
    withSides(async (on) => {
      await on(false, (handle) => kiteRows.insert(handle, kite));
      const changedRow = await on(false, async (handle) => {
        const row = await kiteRows.lock(handle, kite.id);
        assert.ok(row);
        assert.is(await kiteRows.change(handle, row, { colour: undefined }), row);
        return kiteRows.change(handle, row, { colour: null, tails: undefined, updated_at: 2 });
      });
      assert.equal(changedRow, { ...kite, colour: null, updated_at: 2 });
      assert.equal(await on(false, (handle) => kiteRows.find(handle, kite.id)), changedRow);
    }));

  test('a list within a parent shows its own rows, and returns 404 if the parent is not on its side', () =>
    withSides(async (on, { request, keyWith, service, workspaceId }) => {
      for (const sandbox of [false, true])
        await on(sandbox, async (handle) => {
          for (const id of sandbox ? ['kit_3'] : ['kit_1', 'kit_2']) {
            await kiteRows.insert(handle, { ...kite, id, sandbox });
            for (const height of [1, 2, 3])
              await flightRows.insert(handle, { id: `${id}_${height}`, kite_id: id, height, created_at: height });
          }
        });
      const key = await keyWith(['kites:read']);
      const ask = async (path: string) => {
        const { status, body } = await request(`/v1/kites/${path}`, { key });
        return status === 200
          ? { ids: body.data.map(({ id }: { id: string }) => id), next: body.next_cursor }
          : [status, body.error.code];
      };
      const first = (await ask('kit_1/flights?limit=2')) as { ids: string[]; next: string };
      assert.equal(first.ids, ['kit_1_3', 'kit_1_2']);
      assert.equal(await ask(`kit_1/flights?cursor=${first.next}`), { ids: ['kit_1_1'], next: null });
      assert.equal(await ask(`kit_2/flights?cursor=${first.next}`), [400, 'cursor_invalid']);
      assert.equal(await ask('kit_3/flights'), [404, 'kite_not_found'], 'a parent on the other side is not found');
      const sandbox = service.as(workspaceId, { sandbox: true }) as unknown as {
        kites: { flights(input: { id: string }): Promise<{ data: readonly unknown[] }> };
      };
      assert.is((await sandbox.kites.flights({ id: 'kit_3' })).data.length, 3);
    }));
});
