// An erasure removes exactly the personal data that tables and responses declare, whatever the names of their columns and fields.
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineMigration } from '../../core/contract/declaration/migration.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { personal, withoutPersonal } from '../../core/contract/declaration/personal-fields.ts';
import { definePlugin, type Plugin, type TableDeclaration } from '../../core/contract/declaration/plugin.ts';
import { pseudonymOf } from '../../core/kernel/personal-data-addresses.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';

interface LetterRow {
  id: string;
  workspace_id: string;
  reader: string | null;
  mailed_to: string;
  written_as: string;
  body: string;
  remark: string | null;
  pages: string;
  log: string;
  stamps: number;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    letters: LetterRow;
    readings: { id: string; workspace_id: string; reader: string };
  }
}

const migration = defineMigration({
  id: '0001-letters',
  changes: [
    {
      create: 'letters',
      columns: {
        id: 'id',
        workspace_id: 'id',
        reader: 'id?',
        mailed_to: 'address',
        written_as: 'text',
        body: 'text',
        pages: 'json',
        log: 'json',
        stamps: 'integer',
      },
      primaryKey: ['id'],
    },
    { alter: 'letters', add: { remark: 'text?' } },
    { create: 'readings', columns: { id: 'id', workspace_id: 'id', reader: 'id' }, primaryKey: ['id'] },
  ],
});

const letters: TableDeclaration = {
  tenant: true,
  personal: {
    columns: {
      reader: 'person',
      mailed_to: 'address',
      written_as: 'raw_address',
      body: 'text',
      remark: 'text',
      pages: 'text',
      log: 'mentions',
    },
  },
};
const readings: TableDeclaration = { tenant: true, personal: { columns: { reader: 'person' }, rows: 'remove' } };

const writeLetter = defineOperation({
  id: 'letters.write',
  summary: 'Write a letter',
  http: 'POST /v1/letters',
  scopes: ['letters:write'],
  idempotency: 'replay',
  input: { body: z.object({ to: z.string(), message: z.string() }) },
  output: z.object({ to: z.string(), message: personal('text', z.string()), metadata: z.string() }),
  audit: { action: 'letter.write', target: ({ to }) => ({ kind: 'letter', id: to.length.toString() }) },
  fixture: async () => ({ body: { to: 'ada@example.com', message: 'Hello' } }),
  handler: async (_, { body }) => ({ ...body, metadata: 'a figure' }),
});

const lettersPlugin = (tables: Plugin['tables'] = { letters, readings }) =>
  definePlugin({
    id: 'letters',
    scopes: [{ scope: 'letters:write', description: 'Write letters.' }],
    operations: [writeLetter],
    tables,
    migrations: [migration],
    personalData: { export: async () => ({}), erase: async () => 'done' },
  });

const ada = 'ada.l@gmail.com';
const normalised = 'adal@gmail.com';

await eachDatabase('personal tables', (test, database) => {
  const open = () =>
    createTestService({
      plugins: [lettersPlugin()],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });

  test('an erasure finds and empties the rows of a person by the declaration, and rows of others do not change', async () => {
    const { service, workspaceId, foreignWorkspaceId, close } = await open();
    const { core } = service;
    const row = (id: string, workspace: string, to: string, reader: string | null): LetterRow => ({
      id,
      workspace_id: workspace,
      reader,
      mailed_to: to,
      written_as: to === normalised ? ada : to,
      body: `Dear ${to}`,
      remark: 'her own words',
      pages: '["one"]',
      log: JSON.stringify([`250 ok <${ada}>`, 'bo@example.com']),
      stamps: 3,
    });
    const write = async (workspace: string, rows: LetterRow[], read: string[]) =>
      inWorkspace(core, await readWorkspace(core, workspace), async ({ trx }) => {
        for (const one of rows) await trx.db.insertInto('letters').values(one).execute();
        for (const reader of read)
          await trx.db
            .insertInto('readings')
            .values({ id: `${workspace} ${reader}`.slice(-40), workspace_id: workspace, reader })
            .execute();
      });
    await write(
      workspaceId,
      [
        row('by-address', workspaceId, normalised, null),
        row('by-person', workspaceId, 'old@example.com', 'p_ada'),
        row('other', workspaceId, 'bo@example.com', 'p_bo'),
        ...Array.from({ length: 250 }, (_, at) => row(`many-${at}`, workspaceId, normalised, null)),
      ],
      ['p_ada', 'p_bo'],
    );
    await write(foreignWorkspaceId, [row('foreign', foreignWorkspaceId, normalised, 'p_ada')], ['p_ada']);
    await service.personalData.erase(workspaceId, { personId: 'p_ada', email: ada });

    const data = await core.database();
    const both = [workspaceId, foreignWorkspaceId];
    const all = await data.read(unscoped('the test looks at every workspace'), async ({ db }) => ({
      letters: await db.selectFrom('letters').selectAll().where('workspace_id', 'in', both).execute(),
      readings: await db
        .selectFrom('readings')
        .select(['workspace_id', 'reader'])
        .where('workspace_id', 'in', both)
        .execute(),
    }));
    const findLetter = (id: string) => all.letters.find((one) => one.id === id);
    const pseudonym = pseudonymOf(workspaceId, normalised);
    assert.equal(findLetter('by-address'), {
      ...row('by-address', workspaceId, pseudonym, null),
      written_as: pseudonym,
      body: '',
      remark: null,
      pages: '[]',
      log: JSON.stringify([`250 ok <${pseudonym}>`, 'bo@example.com']),
    });
    assert.is(findLetter('by-person')?.reader, null);
    assert.is(findLetter('by-person')?.body, '');
    assert.is(findLetter('by-person')?.stamps, 3);
    assert.equal(findLetter('other'), row('other', workspaceId, 'bo@example.com', 'p_bo'));
    assert.equal(findLetter('foreign'), row('foreign', foreignWorkspaceId, normalised, 'p_ada'));
    assert.is(
      all.letters.filter(({ mailed_to }) => mailed_to === pseudonym).length,
      251,
      'any number of rows gets the pseudonym',
    );
    assert.equal(all.readings.map(({ workspace_id, reader }) => `${workspace_id === workspaceId} ${reader}`).sort(), [
      'false p_ada',
      'true p_bo',
    ]);
    await close();
  });

  test('a stored response loses exactly the fields that its schema marks', async () => {
    const { service, workspaceId, request, close } = await open();
    const post = (to: string) =>
      request('/v1/letters', { body: { to, message: 'my own words' }, headers: { 'idempotency-key': to } });
    await post(ada);
    await post('bo@example.com');
    await service.personalData.erase(workspaceId, { email: ada });
    assert.equal((await post(ada)).body, { to: pseudonymOf(workspaceId, ada), message: '', metadata: 'a figure' });
    assert.equal((await post('bo@example.com')).body.message, 'my own words');
    await close();
  });

  if (database.name !== 'sqlite') return;

  test('marks are found everywhere in a schema', () => {
    const words = personal('text', z.string().nullable()).describe('Described after it was marked.');
    const schema = z.union([
      z.object({ list: z.array(z.object({ words })).optional() }),
      z.object({ named: z.record(z.string(), personal('identifier', z.string())).meta({ id: 'Named' }) }),
      z.lazy(() => z.object({ deep: z.object({ tags: personal('text', z.array(z.string())) }).nullable() })),
    ]);
    const erase = (value: unknown) => withoutPersonal(schema, value, (found) => found === 'user_1');
    assert.equal(erase({ list: [{ words: 'hers' }, { words: null }] }), { list: [{ words: '' }, { words: null }] });
    assert.equal(erase({ named: { a: 'user_1', b: 'user_2' } }), { named: { a: null, b: 'user_2' } });
    assert.equal(erase({ deep: { tags: ['hers'], more: 1 } }), { deep: { tags: [], more: 1 } });
    assert.equal(erase({ words: 'not in the place that the schema declares' }), {
      words: 'not in the place that the schema declares',
    });
  });

  test('composition fails for an impossible declaration of personal data', async () => {
    const faultOf = async (personal: NonNullable<TableDeclaration['personal']>): Promise<string> => {
      try {
        const service = await createTestService({
          plugins: [lettersPlugin({ letters, readings: { tenant: true, personal } })],
        });
        await service.close();
      } catch (error) {
        return (error as Error).message;
      }
      return 'composed';
    };
    assert.match(
      await faultOf({ columns: { writer: 'text' }, rows: 'plugin' }),
      'declares writer as personal, but has no such',
    );
    assert.match(await faultOf({ columns: { id: 'text' } }), 'declares no column that identifies a person');
    assert.match(
      await faultOf({ columns: { reader: 'person' } }),
      'cannot blank the column reader, which is not nullable',
    );
    assert.match(
      await faultOf({ columns: { reader: 'address' } }),
      'declares reader to be the address of a person, but its column is a id: only a column of the kind address',
    );
    assert.is(await faultOf({ columns: { reader: 'person' }, rows: 'remove' }), 'composed');
  });

  test('a unique address column whose rows are emptied is refused, because a second erasure would fail', async () => {
    const withIndex = async (rows: 'blank' | 'remove') => {
      const index = { index: 'letters_to', on: 'letters', columns: ['workspace_id', 'mailed_to'], unique: true };
      const unique = defineMigration({ id: '0002-unique', compatibility: 'contract', changes: [index] });
      const plugin = definePlugin({
        id: 'letters',
        tables: { letters: { tenant: true, personal: { columns: { mailed_to: 'address' }, rows } }, readings },
        migrations: [migration, unique],
        personalData: { export: async () => ({}), erase: async () => 'done' },
      });
      const service = await createTestService({ plugins: [plugin] }).catch((error: Error) => error.message);
      if (typeof service === 'string') return service;
      await service.close();
      return 'composed';
    };
    assert.match(await withIndex('blank'), 'the column mailed_to, which is unique by the index letters_to');
    assert.is(await withIndex('remove'), 'composed');
  });

  test('composition fails if a plugin declares personal data but has no export', async () => {
    const plugin = definePlugin({ id: 'letters', tables: { letters, readings }, migrations: [migration] });
    const thrown = await createTestService({ plugins: [plugin] }).catch((error: Error) => error.message);
    assert.match(String(thrown), 'letters declares personal data in letters, readings, but no personalData');
  });
});
