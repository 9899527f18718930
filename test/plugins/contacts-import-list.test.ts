// time-limit: 120
// import --list: the contacts of a file join a list, on each side, according to the opt-in of the list.
// full-run: slow
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { CommandError } from '../../core/index.ts';
import { importContacts } from '../../plugins/contacts/commands/import-contacts.ts';
import { commandContext } from '../support/command-context.ts';
import { type TestDatabase, twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const openBench = (database: TestDatabase) =>
  migratedTestService(database, { plugins: bareStandardPlugins, publicUrl: 'https://postrider.example.com' });

await twoDatabases('importing into a list', (test, database) => {
  let bench: Awaited<ReturnType<typeof openBench>>;
  let folder: string;
  test.before.each(async () => {
    bench = await openBench(database);
    folder = await mkdtemp(join(tmpdir(), 'postrider-csv-'));
  });
  test.after.each(async () => {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  });

  const importCsv = async (content: string, options: object) => {
    await writeFile(join(folder, 'in.csv'), content);
    const commandOptions = { cwd: folder, say: () => undefined, signal: new AbortController().signal };
    const context = commandContext(bench.service, bench.workspaceId, commandOptions);
    return importContacts.run(context, { file: 'in.csv', map: [], 'dry-run': false, ...options }) as Promise<
      Readonly<Record<string, unknown>>
    >;
  };
  const refusal = (importing: Promise<unknown>): Promise<string> =>
    importing.then(
      () => 'none',
      (error: unknown) => {
        assert.instance(error, CommandError);
        return (error as Error).message;
      },
    );

  test('--list adds imported contacts to a list, keeps existing members, and asks others to confirm', async () => {
    const { contacts, lists, sends } = bench.service.as(bench.workspaceId);
    const statusesOf = async (listId: string) => {
      const { data } = await lists.members({ listId });
      return data.map(({ email, status, source }) => `${email} ${status} ${source}`).sort();
    };
    const { listId } = await lists.create({ name: 'News' });
    const { id } = await contacts.upsert({ email: 'ada@example.org' });
    await lists.membersAdd({ listId, contactIds: [id] });
    const file = 'email,plan\nada@example.org,pro\nbob@example.org,free\nnobody,free\nbob@example.org,pro\n';
    const options = { list: listId, rejected: 'bad.csv' };
    const dry = await importCsv(file, { ...options, 'dry-run': true });
    assert.equal([dry.created, dry.rejected], [1, 1]);
    assert.equal(await statusesOf(listId), ['ada@example.org confirmed api'], 'a dry run adds nobody');
    assert.is((await importCsv(file, options)).rejected, 1);
    const both = ['ada@example.org confirmed api', 'bob@example.org confirmed import'];
    assert.equal(await statusesOf(listId), both);
    await importCsv(file, options);
    assert.equal(await statusesOf(listId), both, 'a second import changes nothing');
    assert.is((await lists.read({ listId })).contactCount, 2);

    const asking = await lists.create({ name: 'Asked', optin: 'double' });
    await importCsv(file, { ...options, list: asking.listId });
    await bench.drain();
    const unconfirmed = ['ada@example.org unconfirmed import', 'bob@example.org unconfirmed import'];
    assert.equal(await statusesOf(asking.listId), unconfirmed);
    assert.equal((await sends.list({})).data.map(({ to }) => to).sort(), ['ada@example.org', 'bob@example.org']);
    await importCsv(file, { ...options, list: asking.listId });
    await bench.drain();
    assert.is((await sends.list({})).data.length, 2, 'nobody gets two confirmation mails in a day');
  });

  test('--consent adds confirmed members with the note, and sends no confirmation mail', async () => {
    const { lists, sends } = bench.service.as(bench.workspaceId);
    const { listId } = await lists.create({ name: 'Asked', optin: 'double' });
    const consent = 'Confirmed at the provider of before.';
    const result = await importCsv('email\nada@example.org\n', { list: listId, consent });
    assert.is(result['joined_list'], 1);
    await bench.drain();
    const { data } = await lists.members({ listId });
    assert.equal(
      data.map(({ status, source }) => [status, source]),
      [['confirmed', 'import']],
    );
    const exported = await bench.service.personalData.export(bench.workspaceId, { email: 'ada@example.org' });
    assert.match(JSON.stringify(exported), consent);
    assert.equal((await sends.list({})).data, []);
    assert.match(await refusal(importCsv('email\n', { consent })), '--consent is about a list or topics');
    assert.match(await refusal(importCsv('email\n', { list: listId, consent: ' ' })), 'in 1 to 500 characters');
  });

  test('--list with --sandbox adds members only in the sandbox, and a list of another workspace is not found', async () => {
    const { lists } = bench.service.as(bench.workspaceId);
    const { listId } = await lists.create({ name: 'News' });
    await importCsv('email\nada@example.org\n', { list: listId, sandbox: true });
    assert.equal((await lists.members({ listId })).data, []);
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    assert.is((await sandbox.lists.members({ listId })).data.length, 1);
    const foreignList = await bench.service.as(bench.foreignWorkspaceId).lists.create({ name: 'Theirs' });
    const error = await refusal(importCsv('email\nada@example.org\n', { list: foreignList.listId }));
    assert.match(error, `There is no list ${foreignList.listId}.`);
  });
});
