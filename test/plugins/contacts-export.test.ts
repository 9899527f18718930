// Exports of contacts, on every database: the contents of the file, an import that reads the file back unchanged, and the side of the
// contacts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as assert from 'uvu/assert';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { exportContacts } from '../../plugins/contacts/commands/export-contacts.ts';
import { contactFiles } from '../support/contact-files.ts';
import { eachDatabase } from '../support/databases.ts';

type Body = TestResponse['body'];

await eachDatabase('contacts to files', (test, database) => {
  const { contextOf, importCsv, refusal, all, newWorkspace, bench, folder, workspaceId } = contactFiles(test, database);

  test('an export neutralises formulas, and the import reads everything back unchanged', async () => {
    const { contacts, suppressions } = bench().service.as(workspaceId());
    const names = ['=1', '+49', '-2', '@A', '＝1', '＋1', '－1', '＠A', "'quoted", "'=double", "''＝twice", 'ü "x", ;'];
    for (const external_id of names) {
      bench().advanceClock(1);
      await contacts.upsert({
        external_id,
        attributes: { said: external_id, n: 1.5, yes: true, list: ['=a', 2, false] },
      });
    }
    await contacts.upsert({ email: 'Ada.Lovelace@gmail.com' });
    await suppressions.create({ email: 'ada.lovelace@gmail.com' });
    const answer = await exportContacts.run(contextOf(workspaceId()), { file: 'out.csv' });
    assert.equal(answer, { file: 'out.csv', contacts: names.length + 1 });
    const text = await readFile(join(folder(), 'out.csv'), 'utf8');
    const cells: string[][] = parse(text);
    assert.equal(cells[0], ['id', 'external_id', 'email', 'attributes', 'subscribed', 'created_at', 'updated_at']);
    for (const cell of cells.flat()) assert.not.match(cell, /^[=+\-@＝＋－＠\t\r]/);
    assert.equal(cells.at(-1)?.slice(1, 5), ['', 'Ada.Lovelace@gmail.com', '', 'false']);
    assert.match(
      await refusal(exportContacts.run(contextOf(workspaceId()), { file: 'no/such/folder.csv' })),
      'no/such/folder.csv cannot be written',
    );
    const otherWorkspace = await newWorkspace();
    assert.is((await importCsv(text, {}, otherWorkspace)).created, names.length + 1);
    const bare = (rows: Body[]) =>
      rows.map(({ external_id, email, attributes }) => JSON.stringify([external_id, email, attributes])).sort();
    assert.equal(bare(await all(otherWorkspace)), bare(await all()));
    const back = await importCsv(text);
    assert.equal([back.created, back.updated, back.unchanged], [0, 0, names.length + 1]);
  });

  test('--sandbox imports and exports the contacts of the sandbox, and live contacts stay unchanged', async () => {
    const { contacts } = bench().service.as(workspaceId(), { sandbox: true });
    await importCsv('email,plan\nada@example.org,pro\n');
    assert.is(
      (await importCsv('email,plan\nada@example.org,trial\nbo@example.org,free\n', { sandbox: true })).created,
      2,
    );
    assert.equal(
      (await all()).map(({ email, attributes }) => [email, attributes.plan]),
      [['ada@example.org', 'pro']],
    );
    assert.is((await contacts.list({})).data.length, 2);
    const exportedRows = async (options: object) => {
      await exportContacts.run(contextOf(workspaceId()), { file: 'out.csv', ...options });
      const [, ...rows]: string[][] = parse(await readFile(join(folder(), 'out.csv'), 'utf8'));
      return rows.map((row) => row[2]).sort();
    };
    assert.equal(await exportedRows({}), ['ada@example.org']);
    assert.equal(await exportedRows({ sandbox: true }), ['ada@example.org', 'bo@example.org']);
  });

  test('a workspace on the plan sandbox has only the sandbox side, and imports and exports use its contacts', async () => {
    const sandbox = await bench().service.workspaces.create({
      name: 'Trial',
      plan: 'sandbox',
      defaultFrom: { email: 'hello@example.org', name: 'Trial' },
    });
    await importCsv('email\nada@example.org\n', {}, sandbox.id);
    assert.is((await all(sandbox.id)).length, 1);
    assert.is(((await exportContacts.run(contextOf(sandbox.id), { file: 'out.csv' })) as Body).contacts, 1);
  });
});
