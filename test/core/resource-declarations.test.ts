// Errors in declarations of the resource kit are reported where they are declared, or when the service is composed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import {
  column,
  createService,
  defineDelete,
  defineList,
  defineMigration,
  defineOperation,
  definePlugin,
  defineTable,
  type Migration,
  presenter,
  type TableDeclaration,
  tenantRows,
  type WorkspaceHandle,
  z,
} from '../../core/index.ts';
import type { CompositionError } from '../../core/kernel/registry.ts';
import { operationSuite } from '../../hosts/testing/operation-suite.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { cardColumns, cards, cardsPlugin, migration, operations, piles, rows } from './resources-plugin.ts';

const test = suite('declarations of the resource kit');

/** The errors of a composition with these migrations */
function faultsOf(migrations: readonly Migration[]): string {
  try {
    createService({
      storage: sqliteStorage({ filename: ':memory:' }),
      plugins: [definePlugin({ id: 'cards', tables: { cards, piles }, migrations })],
    });
  } catch (error) {
    return (error as CompositionError).faults.join('\n');
  }
  return '';
}

const withColumns = (columns: Record<string, 'id'>) =>
  defineMigration({
    id: '0001-cards',
    changes: migration.changes.map((change) =>
      'create' in change && change.create === 'cards' ? { ...change, columns } : change,
    ),
  });

test('migrations that create the declared columns are accepted, even in several steps', () => {
  assert.is(faultsOf([migration]), '');
  const { value: _, ...first } = cardColumns;
  const secondMigration = defineMigration({
    id: '0002-value',
    changes: [{ alter: 'cards', add: { value: 'integer?' } }],
  });
  assert.is(faultsOf([withColumns(first as never), secondMigration]), '');
});

test('a migration is refused if it changes a table before its creation, or names an unknown column', () => {
  const later = defineMigration({ id: '0002-value', changes: [{ alter: 'cards', add: { note: 'text?' } }] });
  assert.match(
    faultsOf([later, migration]),
    'The migration 0002-value changes the table cards, which no earlier change creates: migrations run in the order of their list.',
  );
  const index = defineMigration({ id: '0002-i', changes: [{ index: 'cards_slg', on: 'cards', columns: ['slg'] }] });
  assert.is(
    faultsOf([migration, index]),
    'cards: The migration 0002-i makes the index cards_slg over slg, which is not a column of cards.',
  );
  const less = defineMigration({
    id: '0002-less',
    compatibility: 'contract',
    changes: [{ alter: 'cards', remove: ['slg'] }],
  });
  assert.is(
    faultsOf([migration, less]),
    'cards: The migration 0002-less removes slg from cards, which has no such column.',
  );
  const withSecondKey = defineMigration({
    id: '0002-k',
    changes: [{ create: 'more', columns: { id: 'id' }, primaryKey: ['key'] }],
  });
  assert.match(faultsOf([migration, withSecondKey]), 'makes more with the key key, which is not one of its columns.');
});

test('a filter without a column is refused where the list is declared, unless conditions use the filter', () => {
  const list = {
    id: 'cards.list',
    summary: 'List cards',
    http: 'GET /v1/cards',
    scopes: [],
    rows,
    item: z.object({}),
    filters: { until: z.string().optional() },
    present: () => ({}),
    exampleRow: async () => '',
  } as const;
  assert.throws(
    () => defineList(list),
    'The filter until of cards.list selects by the column until, which cards does not have. Name the filter in customFilters, and select its rows in conditions or find.',
  );
  defineList({ ...list, customFilters: ['until'], conditions: () => undefined });
});

test('a missing, mismatched or undeclared column is refused by name', () => {
  const { slug: _, ...without } = cardColumns;
  assert.match(faultsOf([withColumns(without as never)]), 'no column slug of cards; it is declared as key');
  const { sandbox: __, ...sideless } = cardColumns;
  assert.match(faultsOf([withColumns(sideless as never)]), 'no column sandbox of cards');
  assert.match(
    faultsOf([withColumns({ ...cardColumns, value: 'integer' } as never)]),
    'make value of cards as integer; it is declared as integer?',
  );
  assert.match(
    faultsOf([withColumns({ ...cardColumns, colour: 'id' } as never)]),
    'the column colour of cards, which is not declared',
  );
  assert.match(faultsOf([]), 'declares the table cards, which no migration creates');
});

test('a table with workspace or side columns must be declared with them', () => {
  const fault = (
    tables: Readonly<Record<string, TableDeclaration>>,
    columns: Record<string, 'id' | 'flag'>,
  ): string => {
    const creation = defineMigration({ id: '0001-pins', changes: [{ create: 'pins', columns, primaryKey: ['id'] }] });
    try {
      createService({
        plugins: [definePlugin({ id: 'pins', tables, migrations: [creation] })],
        storage: sqliteStorage({ filename: ':memory:' }),
      });
      return '';
    } catch (error) {
      return String(error);
    }
  };
  const columns = { id: 'id', workspace_id: 'id', sandbox: 'flag' } as const;
  const all = fault({ pins: { tenant: false } }, columns);
  assert.match(all, 'pins: pins has the column workspace_id and is not declared tenant');
  assert.match(all, 'pins has the flag sandbox and is not declared with sides');
  assert.match(fault({ pins: { tenant: true } }, columns), 'pins has the flag sandbox');
  assert.is(fault({ pins: { tenant: true, sides: true } }, columns), '');
  assert.is(fault({ pins: { tenant: false, workspaceColumn: 'id' } }, { id: 'id', workspace_id: 'id' }), '');
  assert.is(fault({ pins: { tenant: false } }, { id: 'id' }), '');
});

test('a table is refused without its key column, or with columns of the handle', () => {
  assert.throws(() => defineTable('notes', { slug: column.key() }), /notes has no column id: .* key/);
  assert.throws(() => defineTable('notes', { id: column.id(), workspace_id: column.id() }), /Leave workspace_id out/);
  assert.throws(() => defineTable('notes', { id: column.id(), sandbox: column.flag() }), /with sides: true/);
  assert.throws(() => defineTable('notes', { id: column.id(), sandbox: column.id() }, { sides: true }), /column\.flag/);
});

test('a resource field without a column needs a function', () => {
  const resource = z.object({ id: z.string(), url: z.string() });
  assert.throws(() => presenter(cards, resource), /field url is not a column of cards: .* overrides/);
  const present = presenter(cards, resource, { url: ({ slug }) => `/c/${slug}` });
  assert.equal(present({ id: 'crd_1', slug: 'a' } as never), { id: 'crd_1', url: '/c/a' });
});

test('personal columns are declared with the table', () => {
  const table = defineTable(
    'letters',
    { id: column.id(), email: column.address(), body: column.text() },
    { personal: { columns: { email: 'address', body: 'text' }, rows: 'remove' } },
  );
  assert.equal(table.personal, { columns: { email: 'address', body: 'text' }, rows: 'remove' });
});

test('pages of a table without a time column report the missing column', async () => {
  const settings = tenantRows(defineTable('settings', { name: column.key() }, { key: 'name' }));
  const page = settings.page({} as WorkspaceHandle, { limit: 1 });
  const message = await page.catch((error: Error) => error.message);
  assert.match(message as string, /Pages of settings need a time, and it has no column created_at/);
});

test('a path must have exactly one parameter', () => {
  const one = {
    id: 'cards.drop',
    summary: 'Drop',
    scopes: [],
    rows,
    notFoundError: () => new Error() as never,
    audit: { action: 'card.drop', kind: 'card' },
    exampleRow: async () => '',
  };
  assert.throws(() => defineDelete({ ...one, http: 'DELETE /v1/cards' }), /must name one parameter/);
  assert.throws(() => defineDelete({ ...one, http: 'DELETE /v1/{a}/cards/{b}' }), /must name one parameter/);
});

test('a declaration with an unknown field is refused', () => {
  const one = { id: 'cards.x', summary: 'X', scopes: [], rows, exampleRow: async () => '' };
  const list = { ...one, http: 'GET /v1/x', item: z.object({}), present: () => ({}), representation: {} } as const;
  assert.throws(
    () => defineList(list),
    /defineList of cards\.x has no field representation\. Did you mean representations\?/,
  );
  const deletion = {
    ...one,
    http: 'DELETE /v1/x/{id}',
    notFoundError: () => new Error() as never,
    beforeAll: async () => {},
  };
  const audit = { action: 'card.drop', kind: 'card' };
  assert.throws(() => defineDelete({ ...deletion, audit } as never), /has no field beforeAll\. Did you mean before\?/);
  const operation = { ...one, http: 'GET /v1/x', idempotency: 'read', output: z.object({}), emit: [] } as const;
  const { rows: _, exampleRow: __, ...declared } = operation;
  const fixture = async () => ({});
  assert.throws(
    () => defineOperation({ ...declared, fixture, handler: async () => ({}) }),
    /The operation cards\.x has no field emit\. Did you mean emits\?/,
  );
});

test('the test service accepts header names in any case', async () => {
  const kit = await createTestService({ plugins: [cardsPlugin()] });
  const { headers } = await kit.request('/v1/cards', { headers: { Accept: 'text/csv' } });
  assert.is(headers['Content-Type'], 'text/csv; charset=utf-8');
  await kit.close();
});

operationSuite('cards', () => createTestService({ plugins: [cardsPlugin()] }), operations, test);

test.run();
