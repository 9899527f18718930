// Contacts from files, on every database: how rows are read, which rows are refused, and a second import that changes nothing.
// full-run: slow
import { link, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as assert from 'uvu/assert';
import type { CommandContext } from '../../core/index.ts';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { importContacts } from '../../plugins/contacts/commands/import-contacts.ts';
import { contactFiles } from '../support/contact-files.ts';
import { eachDatabase } from '../support/databases.ts';

type Body = TestResponse['body'];

await eachDatabase('contacts from files', (test, database) => {
  const {
    contextOf,
    importCsv,
    refusal,
    all,
    one,
    bench,
    folder,
    workspaceId,
    lastWarnings: warned,
    interrupt,
    resetInterruption: goOn,
  } = contactFiles(test, database);

  test('headings, quotes, a byte order mark and columns with known names are read', async () => {
    const contact = await one(
      '\ufeffexternal_id,Email,first_name,attributes.city,attributes\r\n' +
        '42,Ada.L@gmail.com,"Ada, ""the"" first","Lon\ndon","{""n"":7,""list"":[1,true]}"\r\n\r\n',
    );
    assert.equal([contact.external_id, contact.email], ['42', 'adal@gmail.com']);
    assert.equal(contact.attributes, { first_name: 'Ada, "the" first', city: 'Lon\ndon', n: 7, list: [1, true] });
  });

  test('the separator is detected, and --map sets the meaning of columns', async () => {
    const map = [
      'E-Mail=email',
      'Kundennr.=external_id',
      'Alter=attributes.age:number',
      'VIP=attributes.vip:boolean',
      'Notiz=',
    ];
    const contact = await one(
      'Kundennr.;E-Mail;Alter;VIP;Notiz\n7;a@example.org;41,;ja;x\n8;b@example.org;41.5;yes;x\n',
      {
        map,
        rejected: 'bad.csv',
      },
    );
    assert.equal([contact.external_id, contact.attributes], ['8', { age: 41.5, vip: true }]);
    assert.is(
      await readFile(join(folder(), 'bad.csv'), 'utf8'),
      'Kundennr.;E-Mail;Alter;VIP;Notiz;postrider_rejected_because\n7;a@example.org;41,;ja;x;attributes.age: This is not a number.\n',
    );
    assert.is((await one('email\tplan\n c@example.org \tpro\n', { 'dry-run': true })).external_id, '8');
    assert.match(warned(), 'Dry run, nothing was changed: 1 created');
  });

  test('spaces around quoted cells are ignored', async () => {
    const contact = await one('"email", "name" ,\t"city"\n"spaced@example.org" , " Ada  L ", "İzmir, Türkiye"\n');
    assert.equal(
      [contact.email, contact.attributes],
      ['spaced@example.org', { name: ' Ada  L ', city: 'İzmir, Türkiye' }],
    );
  });

  test('a first line that names the separator, as spreadsheets write it, is not a row', async () => {
    const lines = ['sep=;', '\ufeffSEP=;', '"sep=;"', 'sep=\t', 'sep=|'];
    for (const [number, line] of lines.entries()) {
      const separator = /=(.)/.exec(line)?.[1] ?? '';
      const rows = [line, `email${separator}plan`, `sep${number}@example.org${separator}a,b`, ''];
      await importCsv(rows.join(number % 2 === 1 ? '\r\n' : '\n'));
      const contact = (await all()).find(({ email }) => email === `sep${number}@example.org`);
      assert.equal(contact?.attributes, { plan: 'a,b' }, line);
    }
    assert.match(await refusal(importCsv('sep=;\nemail;plan\n"open@example.org;x\n')), /quote left open/);
  });

  test('a heading with a quotation mark is refused', async () => {
    for (const heading of ['“name”', '„name“', '«name»'])
      assert.match(await refusal(importCsv(`email,${heading}\nq@example.org,Ada\n`)), /quotation mark/, heading);
  });

  test('missing cells at the end of a row count as empty, and ignored columns are reported', async () => {
    await importCsv('email,plan,city\nshort@example.org,pro,Oslo\n');
    const csv = 'email,plan,city,subscribed,Notes,\nshort@example.org,max\nother@example.org\n';
    const answer = await importCsv(csv, { map: ['Notes='] });
    assert.equal([answer.created, answer.updated, answer.rejected], [1, 1, 0]);
    const ignored = ['subscribed', 'Notes', 'column 6, which has no heading'];
    assert.equal(answer.ignored_columns, ignored);
    assert.match(warned(), `Columns that were ignored: ${ignored.join(', ')}.`);
    const rows = (await all()).map(({ email, attributes }) => [email, attributes]).sort();
    assert.equal(rows, [
      ['other@example.org', {}],
      ['short@example.org', { plan: 'max', city: 'Oslo' }],
    ]);
  });

  test('an import follows the rules of a single call, and a second import changes nothing', async () => {
    const { contacts } = bench().service.as(workspaceId());
    await contacts.upsert({ email: 'known@example.org', attributes: { kept: 1, plan: 'free' } });
    const movingContact = await contacts.upsert({ external_id: 'has-it', email: 'moves@example.org' });
    const csv =
      'external_id,email,plan\nu1,known@example.org,pro\nu2,moves@example.org,\nu3,,free\n,only@example.org,free\nu1,KNOWN@example.org,max\n';
    bench().advanceClock(10);
    assert.equal(await importCsv(csv), {
      file: 'in.csv',
      dry_run: false,
      created: 3,
      updated: 2,
      unchanged: 0,
      rejected: 0,
      ignored_columns: [],
    });
    const allContacts = await all();
    const imported = allContacts.map(({ external_id, email, attributes }) => [external_id, email, attributes]);
    const sorted = imported.sort((a, b) => String(a[0]).localeCompare(String(b[0])));
    assert.equal(sorted, [
      ['has-it', null, {}],
      [null, 'only@example.org', { plan: 'free' }],
      ['u1', 'known@example.org', { kept: 1, plan: 'max' }],
      ['u2', 'moves@example.org', {}],
      ['u3', null, { plan: 'free' }],
    ]);
    assert.is((await contacts.read({ contactId: movingContact.id })).email, null);
    const owner = allContacts.find(({ external_id }) => external_id === 'u2').id;
    const { data: entries } = await bench().service.as(workspaceId()).audit.list({ action: 'contact.upsert' });
    const [entry] = entries.filter(({ target }) => target.id === owner);
    assert.equal(entry?.metadata, { created: true, email_moved_from: movingContact.id, email_moved_to: owner });
    bench().advanceClock(10);
    const secondImport = await importCsv(csv.replace('u1,known@example.org,pro\n', ''));
    assert.equal(secondImport, {
      file: 'in.csv',
      dry_run: false,
      created: 0,
      updated: 0,
      unchanged: 4,
      rejected: 0,
      ignored_columns: [],
    });
    assert.equal(await all(), allContacts);
  });

  test('an import emits one event for each created or changed contact, and writes an audit entry', async () => {
    const workspaceId = bench().workspaceId;
    const before = [(await bench().events('contact.created')).length, (await bench().events('contact.updated')).length];
    await importCsv('email,plan\ntold@example.org,a\ntold@example.org,b\n', {}, workspaceId);
    await importCsv('email,plan\ntold@example.org,c\n', {}, workspaceId);
    const [created, updated] = [await bench().events('contact.created'), await bench().events('contact.updated')];
    assert.equal([created.length, updated.length], [Number(before[0]) + 1, Number(before[1]) + 1]);
    assert.equal(created.at(-1)?.attributes, { plan: 'b' });
    const { data } = await bench().service.as(workspaceId).audit.list({ action: 'contact.import', limit: 1 });
    assert.equal([data[0]?.actor.client, data[0]?.target], ['cli', { kind: 'file', id: 'in.csv' }]);
  });

  test('every rejected row is stored with the reason, and the other rows are imported', async () => {
    const rows = [
      'ok@example.org,,1',
      'nobody,,1',
      ',,"{""a"":2}"',
      'a@example.org,,{x',
      'a@example.org,,"{""x"":{""y"":1}}"',
      'a@example.org,,1,surplus',
      `a@example.org,${'x'.repeat(201)},`,
      'b@example.org,,"[1]"',
    ];
    const map = ['json=attributes'];
    const options = { map, rejected: 'bad.csv' };
    const answer = await importCsv(`email,external_id,json\n${rows.join('\n').replaceAll(',1', ',')}\n`, options);
    assert.equal([answer.created, answer.rejected], [1, 7]);
    const bad: string[][] = parse(await readFile(join(folder(), 'bad.csv')), { relax_column_count: true });
    assert.equal(bad[0], ['email', 'external_id', 'json', 'postrider_rejected_because']);
    const reasons = bad.slice(1).map((cells) => cells.at(-1));
    const expected = [
      'This is not an email address',
      'neither an external_id nor an email',
      'not a JSON object',
      'attributes.x',
      'The row has 4 cells',
      'external_id must ',
      'not a JSON object',
    ];
    for (const [index, text] of expected.entries()) assert.match(String(reasons[index]), text);
    assert.equal(bad[5], ['a@example.org', '', '', 'surplus', reasons[4]]);
    const message = await refusal(importCsv('email\nnobody\n'));
    assert.match(message, '1 row was rejected. Write it to a file with the reason: --rejected FILE');
    assert.match(
      String(
        warned()
          .split('\n')
          .find((line) => line.startsWith('line 2: ')),
      ),
      'This is not an email address',
    );
  });

  test('a file without contacts is refused with advice', async () => {
    assert.match(await refusal(importCsv('')), 'is empty');
    assert.match(await refusal(importCsv('name,plan\nAda,pro\n')), 'No column identifies the contact of a row');
    assert.match(await refusal(importCsv('email,Email\na@example.org,b@example.org\n')), 'Two columns hold email');
    assert.match(await refusal(importCsv('email\n', { map: ['mail=email'] })), 'It has: email.');
    assert.match(await refusal(importCsv('email\n', { map: ['email=nothing'] })), 'is not a field');
    assert.match(await refusal(importCsv('email\n"a@example.org\n')), 'Is a quote left open?');
    const heading = Buffer.from('email,Stra\xdfe\nf@example.org,Weg\n', 'latin1');
    assert.match(await refusal(importCsv(heading)), 'The heading Stra\ufffde contains bytes that are not UTF-8.');
    assert.equal(await all(), []);
    assert.match(await refusal(importCsv('email\n', { file: 'missing.csv' })), 'cannot be read');
    assert.match(await refusal(importCsv('email\nx\n', { rejected: 'no/such/folder.csv' })), 'cannot be written');
    await importCsv(Buffer.from('email,name\na@example.org,Jos\xe9\n', 'latin1'), { rejected: 'bad.csv' });
    assert.match(await readFile(join(folder(), 'bad.csv'), 'utf8'), 'Save the file as UTF-8');
    assert.equal(await all(), []);
  });

  test('the import reads UTF-16 with and without a byte order mark, and other encodings if they are named', async () => {
    const text = 'email;Ort\nutf16@example.org;東京\n';
    const files = [`\ufeff${text}`, text].flatMap((csv) => {
      const bytes = Buffer.from(csv, 'utf16le');
      return [bytes, Buffer.from(bytes).swap16()];
    });
    for (const bytes of files) {
      await importCsv(bytes);
      const [contact, ...others] = await all();
      assert.equal([contact?.attributes, others], [{ Ort: '東京' }, []]);
    }
    await importCsv(Buffer.from('email;Straße;Preis\nwest@example.org;Köln;5 \x80\n', 'latin1'), {
      encoding: 'windows-1252',
    });
    await importCsv(Buffer.from('email,city\neast@example.org,\xcc\xee\xf1\xea\xe2\xe0\n', 'latin1'), {
      encoding: 'windows-1251',
    });
    assert.equal(
      (await all()).slice(1).map(({ attributes }) => attributes),
      [{ Straße: 'Köln', Preis: '5 €' }, { city: 'Москва' }],
    );
    assert.match(await refusal(importCsv('email\n', { encoding: 'klingon' })), '--encoding klingon: no encoding');
  });

  test('an import skips the empty rows of spreadsheets', async () => {
    const answer = await importCsv('email;name;\n;;\na@example.org;Ada;\n;;\n  ; ;\n');
    assert.equal([answer.created, answer.rejected], [1, 0]);
  });

  test('a corrected file of rejected rows can be imported: its column of reasons is ignored', async () => {
    await importCsv('email,plan\nnobody,pro\nnobody either,free\n', { rejected: 'bad.csv' });
    const bad = await readFile(join(folder(), 'bad.csv'), 'utf8');
    await importCsv(bad.replace('nobody,', 'a@example.org,'), { rejected: 'worse.csv' });
    const worse: string[][] = parse(await readFile(join(folder(), 'worse.csv')));
    assert.equal(worse[0], ['email', 'plan', 'postrider_rejected_because']);
    assert.equal(worse[1]?.slice(0, 2), ['nobody either', 'free']);
    assert.equal(
      (await all()).map(({ attributes }) => attributes),
      [{ plan: 'pro' }],
    );
  });

  test('two columns of the same name are refused, and so are names and texts that a call would refuse', async () => {
    assert.match(await refusal(importCsv('email,plan,plan\na@example.org,a,b\n')), 'Two columns hold attributes.plan');
    assert.match(await refusal(importCsv('email,plan,attributes.plan\na@example.org,a,b\n')), 'Two columns hold');
    assert.match(await refusal(importCsv('email,__proto__\na@example.org,a\n')), '__proto__ cannot be the name');
    const json = [
      '{""a"":""\\ud800""}',
      '{""\\u0000"":1}',
      '{""a"":[""x\\u0000""]}',
      '{""__proto__"":""x""}',
      '{""a"":{""toString"":1}}',
      '{""toString"":1}',
    ];
    const rows = json.map((text) => `a@example.org,"${text}"`);
    const answer = await importCsv(`email,attributes\n${rows.join('\n')}\n`, { rejected: 'bad.csv' });
    assert.equal([answer.created, answer.rejected], [1, 5]);
    assert.equal(
      (await all()).map(({ attributes }) => attributes),
      [{ toString: 1 }],
    );
  });

  test('a quote in the middle of a cell is part of the cell, and the following rows are read', async () => {
    await importCsv('email,size\na@example.org,5" pipe\nb@example.org,"6"" pipe"\n');
    assert.equal((await all()).map(({ attributes }) => attributes.size).sort(), ['5" pipe', '6" pipe']);
  });

  test('a transaction has fewer rows if the rows are long', async () => {
    const long = 'x'.repeat(900_000);
    const rows = Array.from({ length: 12 }, (_, index) => `long${index}@example.org,${long}`);
    assert.is((await importCsv(`email,notes\n${rows.join('\n')}\n`, { map: ['notes='] })).created, 12);
    const { data } = await bench().service.as(workspaceId()).audit.list({ action: 'contact.import' });
    // Two transactions store rows, and a third one ends the import.
    assert.is(data.length, 3);
  });

  test('rejected rows never overwrite the imported file, under any name', async () => {
    const csv = 'email\nnobody\na@example.org\n';
    await writeFile(join(folder(), 'in.csv'), csv);
    await symlink('in.csv', join(folder(), 'symbolic.csv'));
    await link(join(folder(), 'in.csv'), join(folder(), 'hard.csv'));
    for (const rejected of ['in.csv', './in.csv', 'symbolic.csv', 'hard.csv']) {
      assert.match(await refusal(importCsv(csv, { rejected })), '--rejected names the file that is being imported');
      assert.is(await readFile(join(folder(), 'in.csv'), 'utf8'), csv);
    }
    assert.equal(await all(), []);
    // Later tests write files of these names in the same folder.
    for (const file of ['symbolic.csv', 'hard.csv']) await rm(join(folder(), file));
  });

  test('an import runs in batches; Ctrl-C leaves complete batches, and the position is reported', async () => {
    const line = (index: number): string => `u${index},u${index}@example.org,${index}`;
    const csv = `external_id,email,n\n${Array.from({ length: 3_500 }, (_, index) => line(index)).join('\n')}\n`;
    const context = contextOf(workspaceId());
    let transactions = 0;
    const counting: CommandContext = {
      ...context,
      transact: async (entry, work) => {
        transactions += 1;
        if (transactions === 2) interrupt();
        return context.transact(entry, work);
      },
    };
    await writeFile(join(folder(), 'in.csv'), csv);
    const options = { file: 'in.csv', map: [], 'dry-run': false };
    await importContacts.run(counting, options).then(
      () => assert.unreachable('the interrupted import ended normally'),
      () => undefined,
    );
    assert.match(warned(), 'Stopped after line 2001: the lines up to it are imported.');
    assert.is((await all()).length, 2_000);
    goOn();
    const answer = await importCsv(csv);
    assert.equal(answer, {
      file: 'in.csv',
      dry_run: false,
      created: 1_500,
      updated: 0,
      unchanged: 2_000,
      rejected: 0,
      ignored_columns: [],
    });
    assert.is((await all()).length, 3_500);
  });

  test('two simultaneous imports of the same file make every contact once', async () => {
    const csv = `email\n${Array.from({ length: 400 }, (_, index) => `twice${index % 300}@example.org`).join('\n')}\n`;
    await writeFile(join(folder(), 'in.csv'), csv);
    const options = { file: 'in.csv', map: [], 'dry-run': false };
    const answers = await Promise.all([1, 2, 3].map(() => importContacts.run(contextOf(workspaceId()), options)));
    assert.is((await all()).length, 300);
    assert.is(
      answers.reduce((sum: number, answer) => sum + (answer as Body).created, 0),
      300,
    );
  });
});
