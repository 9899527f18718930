// time-limit: 300
// Importing contacts over the API: mapping, files of other tools, errors by line, dry runs, lists, suppressions, erasures, and continuing
// after an interruption.
// full-run: slow
import * as assert from 'uvu/assert';
import { type TestDatabase, twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { crashesAt } from '../support/watched-composer.ts';

const openBench = (database: TestDatabase, onPhase: (phase: string) => void) =>
  migratedTestService(database, { plugins: bareStandardPlugins, publicUrl: 'https://postrider.example.com', onPhase });

await twoDatabases('importing contacts over the API', (test, database) => {
  let bench: Awaited<ReturnType<typeof openBench>>;
  let crashes: string[];
  let onPhase: (phase: string) => void;
  test.before.each(async () => {
    crashes = [];
    onPhase = () => undefined;
    bench = await openBench(database, (phase) => {
      onPhase(phase);
      crashesAt(crashes)(phase);
    });
  });
  test.after.each(() => bench.close());

  const calls = () => bench.service.as(bench.workspaceId);
  const all = async () => {
    const { data } = await calls().contacts.list({ limit: 100 });
    return data.toReversed().map(({ email, external_id, attributes }) => ({ email, external_id, attributes }));
  };
  /** Imports a text and returns the finished import. */
  const importCsv = async (csv: string, options: object = {}) => {
    const { import_id, status } = await calls().contacts.import({ csv, ...options });
    assert.is(status, 'running');
    await bench.drain();
    return calls().contacts.importRead({ importId: import_id });
  };
  /** The stored parts of files. */
  const storedParts = async () => {
    const database = await bench.service.core.database();
    return database.read(bench.workspaceId, ({ db }) => db.selectFrom('contact_import_parts').selectAll().execute());
  };
  const codeOf = async (work: () => Promise<unknown>): Promise<string> => {
    try {
      await work();
    } catch (error) {
      const { code, details = [] } = error as { code: string; details?: readonly { path: string; code: string }[] };
      return [code, ...details.map((one) => `${one.path} ${one.code}`)].join(': ');
    }
    return 'none';
  };

  test('an import reads only the columns that the mapping names', async () => {
    const csv =
      '\ufeffE-Mail;Name;Sitze;Notiz;Notiz\r\n ADA@Example.org ;"Lovelace; Ada";3;geheim;x\r\n\r\n;;;;\r\nmaryam@example.org;مريم;4;;\r\nq@example.org;"Zeile 1\nZeile 2";5;;\r\n';
    const mapping = { 'E-Mail': 'email', Name: 'attributes.name', Sitze: 'attributes.seats:number' };
    const result = await importCsv(csv, { mapping });
    assert.equal([result.status, result.total, result.created, result.rejected], ['completed', 3, 3, 0]);
    assert.equal(result.ignored_columns, ['Notiz', 'Notiz']);
    assert.equal(await all(), [
      { email: 'ada@example.org', external_id: null, attributes: { name: 'Lovelace; Ada', seats: 3 } },
      { email: 'maryam@example.org', external_id: null, attributes: { name: 'مريم', seats: 4 } },
      { email: 'q@example.org', external_id: null, attributes: { name: 'Zeile 1\nZeile 2', seats: 5 } },
    ]);
  });

  test('an import accepts exports of Mailchimp and HubSpot unchanged', async () => {
    const mailchimp =
      'Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,TAGS\nurist@example.com,Urist,McVankab,2,"2021-06-01 10:00:00","""vip"",""beta"""\n';
    const first = await importCsv(mailchimp, {
      mapping: { 'Email Address': 'email', 'First Name': 'attributes.first_name', TAGS: 'attributes.tags' },
    });
    assert.equal([first.created, first.ignored_columns], [1, ['Last Name', 'MEMBER_RATING', 'OPTIN_TIME']]);
    const hubspot = '"Record ID","Email","First Name"\n"151","urist@example.com",""\n"152","zon@example.com","Zon"\n';
    const second = await importCsv(hubspot, {
      mapping: { 'Record ID': 'external_id', Email: 'email', 'First Name': 'attributes.first_name' },
    });
    assert.equal([second.created, second.updated], [1, 1]);
    assert.equal(await all(), [
      { email: 'urist@example.com', external_id: '151', attributes: { first_name: 'Urist', tags: '"vip","beta"' } },
      { email: 'zon@example.com', external_id: '152', attributes: { first_name: 'Zon' } },
    ]);
  });

  test('an import reports each faulty row with its line and imports the others; a second import changes nothing', async () => {
    const csv = 'email,plan\nok@example.org,pro\nnobody,pro\n,pro\na@example.org,pro,surplus\nok@example.org,pro\n';
    const result = await importCsv(csv);
    assert.equal([result.total, result.created, result.unchanged, result.updated, result.rejected], [5, 1, 1, 0, 3]);
    assert.equal(
      result.faults.map(({ line, code }) => [line, code]),
      [
        [3, 'row_invalid'],
        [4, 'row_invalid'],
        [5, 'row_invalid'],
      ],
    );
    assert.match(result.faults[0]?.message ?? '', 'This is not an email address');
    const secondImport = await importCsv(csv);
    assert.equal([secondImport.created, secondImport.updated, secondImport.unchanged], [0, 0, 2]);
  });

  test('an import reads lines that end in different ways, and counts a line break inside a cell once', async () => {
    const csv =
      'email,note,seats\r\na@example.org,"one\r\ntwo",x\nb@example.org,,3\rc@example.org,"\n\r\n",y\r\n\r\nd@example.org,,4\n';
    const mapping = { email: 'email', note: 'attributes.note', seats: 'attributes.seats:number' };
    const result = await importCsv(csv, { mapping });
    assert.equal([result.total, result.created, result.rejected], [4, 2, 2]);
    assert.equal(
      result.faults.map(({ line }) => line),
      [3, 7],
    );
    assert.equal(
      (await all()).map(({ email }) => email),
      ['b@example.org', 'd@example.org'],
    );
  });

  test('an import refuses a number that would lose its last digits', async () => {
    const csv =
      'email,n\na@example.org,12345678901234567890\nb@example.org,9007199254740991\nc@example.org,0.1234567890123456789\nd@example.org,-0\n';
    const { faults } = await importCsv(csv, { mapping: { email: 'email', n: 'attributes.n:number' } });
    assert.equal(faults, [
      {
        line: 2,
        code: 'row_invalid',
        message: 'attributes.n: A number cannot hold all these digits. Import it as a text.',
      },
    ]);
    assert.equal(
      (await all()).map(({ attributes }) => attributes['n']),
      [9_007_199_254_740_991, 0.123_456_789_012_345_68, 0],
    );
  });

  test('an import stores the first 1,000 faults and counts all of them', async () => {
    const result = await importCsv(`email\n${'nobody\n'.repeat(1_203)}good@example.org\n`);
    assert.equal([result.created, result.rejected, result.faults.length], [1, 1_203, 1_000]);
    assert.is(result.faults.at(-1)?.line, 1_001);
  });

  test('a dry run counts at once and stores nothing', async () => {
    await calls().contacts.upsert({ email: 'known@example.org', attributes: { plan: 'pro' } });
    const csv = 'email,plan\nknown@example.org,max\nnew@example.org,pro\nNEW@example.org,pro\nnobody,x\n';
    const plan = await calls().contacts.import({ csv }, { dryRun: true });
    const { status, total, created, updated, unchanged, rejected, faults } = plan;
    assert.equal([status, total, created, updated, unchanged, rejected], ['completed', 4, 1, 1, 1, 1]);
    assert.equal(
      faults.map(({ line }) => line),
      [5],
    );
    await bench.drain();
    assert.equal(await all(), [{ email: 'known@example.org', external_id: null, attributes: { plan: 'pro' } }]);
    const long = `email,text\n${`a@example.org,${'x'.repeat(1_000)}\n`.repeat(1_000)}`;
    const error = () => calls().contacts.import({ csv: long }, { dryRun: true });
    assert.is(await codeOf(error), 'validation_failed: csv too_large');
  });

  test('an import refuses a file without an identifying column, an unknown mapping, and a file over 10 MB', async () => {
    const attempt = (body: { csv: string; mapping?: Record<string, string> }) =>
      codeOf(() => calls().contacts.import(body));
    assert.is(await attempt({ csv: 'name\nAda\n' }), 'validation_failed: mapping csv_invalid');
    assert.is(
      await attempt({ csv: 'email\na@example.org\n', mapping: { Mail: 'email' } }),
      'validation_failed: mapping csv_invalid',
    );
    assert.is(
      await attempt({ csv: 'email\na@example.org\n', mapping: { email: 'address' } }),
      'validation_failed: mapping csv_invalid',
    );
    assert.is(
      await attempt({ csv: 'email,email\na@example.org,b\n', mapping: { email: 'email' } }),
      'validation_failed: csv csv_invalid',
    );
    assert.is(await attempt({ csv: '\n' }), 'validation_failed: csv csv_invalid');
    const wide = `email\n${'é'.repeat(5_000_000)}`;
    assert.is(await attempt({ csv: wide }), 'validation_failed: csv too_large');
    assert.equal(await all(), []);
  });

  test('an import refuses at once a mapping that would make every row slow or every message long', async () => {
    const attempt = (headings: string) =>
      codeOf(() => calls().contacts.import({ csv: `email,${headings}\na@example.org\n` }));
    const before = process.cpuUsage();
    assert.is(
      await attempt(Array.from({ length: 150_000 }, (_, index) => index).join()),
      'validation_failed: csv csv_invalid',
    );
    assert.is(await attempt(','.repeat(500_000)), 'validation_failed: csv csv_invalid');
    assert.is(await attempt('x'.repeat(100_000)), 'validation_failed: csv csv_invalid');
    assert.is(await attempt('x'.repeat(65)), 'validation_failed: mapping csv_invalid');
    // Measured in processor time, because other processes may use the processor.
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 10_000_000, 'the time for headings must not grow with the square of their number');
    const json = JSON.stringify({ ['y'.repeat(100_000)]: 1 }).replaceAll('"', '""');
    const { faults } = await importCsv(`email,attributes\na@example.org,"${json}"\n`);
    assert.is(faults.length, 1);
    assert.ok((faults[0]?.message.length ?? 0) <= 1_000);
  });

  test('timers fire while a large file is checked', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const csv = `email\n${Array.from({ length: 40_000 }, (_, index) => `a${index}@example.org\n`).join('')}`;
    await calls().contacts.import({ csv });
    clearInterval(timer);
    assert.ok(turns >= 10, `a timer of 1 ms fired ${turns} times`);
  });

  test('a dry run plans its rows in short reads outside its transaction', async () => {
    const csv = `email\n${Array.from({ length: 20_000 }, (_, index) => `a${index}@example.org\n`).join('')}`;
    const database = await bench.service.core.database();
    const { read } = database;
    let reads = 0;
    const counting: typeof read = (scope, work) => {
      reads += 1;
      return read.call(database, scope, work) as ReturnType<typeof work>;
    };
    Object.assign(database, { read: counting });
    onPhase = (phase) => {
      if (phase === 'transaction.begun') Object.assign(database, { read });
    };
    assert.is((await calls().contacts.import({ csv }, { dryRun: true })).created, 20_000);
    assert.ok(reads >= 40, `${reads} reads before the transaction`);
  });

  test('an incomplete file is refused and changes nothing', async () => {
    const good = Array.from({ length: 5_000 }, (_, index) => `good${index}@example.org,pro\n`).join('');
    const csv = `email,plan\n${good}"open@example.org,pro\n`;
    assert.is(await codeOf(() => calls().contacts.import({ csv })), 'validation_failed: csv csv_invalid');
    await bench.drain();
    assert.equal(await all(), []);
  });

  test('the leash of a key counts the contacts that join a list, and allows only its domains', async () => {
    const { listId } = await calls().lists.create({ name: 'News' });
    const leash = { recipientsPerDay: 2, recipientDomains: ['example.org'] };
    const key = await bench.keyWith(['contacts:write', 'lists:write'], { mode: 'mcp', leash });
    const post = (csv: string, options: object = {}) =>
      bench.request('/v1/contacts/imports', { method: 'POST', key, body: { csv, ...options } });
    const outside = await post('email\na@example.org\nb@example.com\n');
    assert.equal([outside.status, outside.body.error.code], [403, 'leash_exceeded']);
    const three = 'email\na@example.org\nb@example.org\nc@example.org\n';
    assert.is((await post(three)).status, 202);
    assert.is((await post(three, { listId })).body.error.code, 'leash_exceeded');
  });

  test('contacts that join a double opt-in list are asked by mail, or are confirmed with a note of their consent', async () => {
    const { lists, sends } = calls();
    const { listId } = await lists.create({ name: 'Double', optin: 'double' });
    await importCsv('email\nasked@example.org\n', { listId });
    await importCsv('email\nagreed@example.org\n', { listId, consentNote: 'Signed up at the fair' });
    await bench.drain();
    const { data } = await lists.members({ listId });
    const members = data.map(({ email, status, source }) => `${email} ${status} ${source}`).sort();
    assert.equal(members, ['agreed@example.org confirmed import', 'asked@example.org unconfirmed import']);
    const allSends = await sends.list({});
    assert.equal(
      allSends.data.map(({ to }) => to),
      ['asked@example.org'],
    );
    assert.is(
      await codeOf(() => calls().contacts.import({ csv: 'email\n', consentNote: 'yes' })),
      'validation_failed: consentNote list_required',
    );
    const key = await bench.keyWith(['contacts:write']);
    const body = { csv: 'email\na@b.example\n', listId };
    const answer = await bench.request('/v1/contacts/imports', { method: 'POST', key, body });
    assert.equal([answer.status, answer.body.error.code], [403, 'insufficient_scope']);
    assert.match(answer.body.error.message, 'lists:write');
  });

  test('if a list is deleted during the import, the import ends with this reason', async () => {
    const { listId } = await calls().lists.create({ name: 'Soon gone' });
    const { import_id } = await calls().contacts.import({ csv: 'email\na@example.org\n', listId });
    await calls().lists.delete({ listId });
    await bench.drain();
    const result = await calls().contacts.importRead({ importId: import_id });
    assert.equal([result.status, result.created, result.faults[0]?.code], ['failed', 1, 'list_not_found']);
    assert.equal(await storedParts(), [], 'the file of a failed import is removed');
  });

  test('an import removes no suppression and no unsubscription, even with a note of consent', async () => {
    const { suppressions, lists, contacts } = calls();
    await suppressions.create({ email: 'left@example.org' });
    await suppressions.create({ email: 'never@example.org' });
    const { listId } = await lists.create({ name: 'All' });
    const csv = 'email,subscribed\nleft@example.org,true\nnever@example.org,true\n';
    const result = await importCsv(csv, { listId, consentNote: 'They told us' });
    assert.equal([result.created, result.ignored_columns], [2, ['subscribed']]);
    const { data } = await contacts.list({});
    assert.equal(
      data.map(({ subscribed }) => subscribed),
      [false, false],
    );
    assert.is((await suppressions.list({})).data.length, 2);
  });

  test('a person who was erased after the file was accepted is not created again', async () => {
    const { contacts } = calls();
    const { id } = await contacts.upsert({ external_id: 'u7', email: 'Gone@example.org' });
    const csv = 'external_id,email\n,gone@EXAMPLE.org\nu7,\nu8,stays@example.org\n';
    const { import_id } = await contacts.import({ csv });
    await contacts.delete({ contactId: id });
    await bench.drain();
    const result = await contacts.importRead({ importId: import_id });
    assert.equal([result.created, result.rejected], [1, 2]);
    assert.equal(
      result.faults.map(({ line, code }) => [line, code]),
      [
        [2, 'contact_erased'],
        [3, 'contact_erased'],
      ],
    );
    assert.equal(
      (await all()).map(({ external_id }) => external_id),
      ['u8'],
    );
  });

  test('an import continues after an interruption: it repeats no row and skips no row', async () => {
    const { listId } = await calls().lists.create({ name: 'News' });
    const rows = Array.from({ length: 700 }, (_, index) => `row${index}@example.org\n`);
    const { import_id } = await calls().contacts.import({ csv: `email\n${rows.join('')}`, listId });
    // The first and the second attempt stop after 250 rows are stored, before these contacts join the list.
    crashes = ['contacts.rows_imported', 'contacts.rows_imported'];
    const read = () => calls().contacts.importRead({ importId: import_id });
    await bench.drain();
    const first = await read();
    assert.equal([first.status, first.created], ['running', 250]);
    bench.advanceClock(60_000);
    await bench.drain();
    assert.equal([(await read()).created, crashes], [500, []]);
    bench.advanceClock(600_000);
    await bench.drain();
    const result = await read();
    assert.equal([result.status, result.created, result.unchanged, result.rejected], ['completed', 700, 0, 0]);
    assert.is((await calls().lists.read({ listId })).contactCount, 700);
    assert.is((await bench.events('contact.created')).length, 700);
    assert.is((await bench.events('list_member.added')).length, 700);
  });

  test('an import whose every attempt fails has the status failed and the reason, and its file is removed', async () => {
    const { import_id } = await calls().contacts.import({ csv: 'email\nada@example.org\n' });
    crashes = Array.from({ length: 50 }, () => 'contacts.importing_rows');
    const read = () => calls().contacts.importRead({ importId: import_id });
    for (let attempt = 0; attempt < 50 && (await read()).status === 'running'; attempt += 1) {
      assert.is((await storedParts()).length, 1);
      await bench.drain();
      bench.advanceClock(86_400_000);
    }
    const result = await read();
    assert.equal(
      [result.status, result.created, result.faults.map(({ code }) => code)],
      ['failed', 0, ['internal_error']],
    );
    assert.equal(await storedParts(), []);
    assert.equal(await all(), []);
  });

  test('imports of the sandbox add no live contact', async () => {
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    const { import_id } = await sandbox.contacts.import({ csv: 'email\nsand@example.org\n' });
    await bench.drain();
    assert.is((await sandbox.contacts.importRead({ importId: import_id })).created, 1);
    assert.equal(await all(), []);
    assert.is(await codeOf(() => calls().contacts.importRead({ importId: import_id })), 'contact_import_not_found');
  });

  test('the file is encrypted in the database, and removed at the end', async () => {
    const secret = 'unreadable@example.org';
    const { import_id } = await calls().contacts.import({ csv: `email\n${secret}\n` });
    const parts = await storedParts();
    assert.is(parts.length, 1);
    assert.not.match(Buffer.from(parts[0]?.sealed as Uint8Array).toString('latin1'), secret);
    await bench.drain();
    assert.is((await calls().contacts.importRead({ importId: import_id })).status, 'completed');
    assert.equal(await storedParts(), []);
  });
});
