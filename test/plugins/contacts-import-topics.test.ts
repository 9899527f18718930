// Columns of a file that are topics: yes and no become preferences, over the API and on the command line, and no import cancels the
// opt-out that a person made.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { inWorkspace } from '../../core/unstable.ts';
import { importContacts } from '../../plugins/contacts/commands/import-contacts.ts';
import { commandContext } from '../support/command-context.ts';
import { type TestDatabase, twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { crashesAt } from '../support/watched-composer.ts';

const openBench = (database: TestDatabase, onPhase: (phase: string) => void) =>
  migratedTestService(database, { plugins: bareStandardPlugins, onPhase });

await twoDatabases('topics in files of contacts', (test, database) => {
  let bench: Awaited<ReturnType<typeof openBench>>;
  let crashes: string[];
  test.before.each(async () => {
    crashes = [];
    bench = await openBench(database, (phase) => crashesAt(crashes)(phase));
    await calls().topics.create({ key: 'news', name: 'News', default: 'unsubscribed' });
    await calls().topics.create({ key: 'offers', name: 'Offers', default: 'subscribed' });
  });
  test.after.each(() => bench.close());

  const calls = (sandbox = false) => bench.service.as(bench.workspaceId, { sandbox });
  const importCsv = async (csv: string, options: object = {}) => {
    const { import_id } = await calls().contacts.import({ csv, ...options });
    await bench.drain();
    return calls().contacts.importRead({ importId: import_id });
  };
  /** Imports a file on the command line. Returns the message of its error, or 'none'. */
  const command = async (csv: string, options: object = {}): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-csv-'));
    await writeFile(join(folder, 'in.csv'), csv);
    const commandOptions = { cwd: folder, say: () => undefined, signal: new AbortController().signal };
    const context = commandContext(bench.service, bench.workspaceId, commandOptions);
    try {
      await importContacts.run(context, { file: 'in.csv', map: [], 'dry-run': false, sandbox: false, ...options });
      return 'none';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const preferencesOf = async (email: string, sandbox = false) => {
    const [contact] = (await calls(sandbox).contacts.list({ email })).data;
    const { preferences } = await calls(sandbox).preferences.read({ contactId: contact?.id ?? '' });
    return preferences.map(({ topic, subscribed, source }) => `${topic} ${subscribed} ${source}`).join(', ');
  };
  const faultOf = async (work: () => Promise<unknown>): Promise<string> => {
    try {
      await work();
    } catch (error) {
      const { code, details = [] } = error as { code: string; details?: readonly { path: string; code: string }[] };
      return [code, ...details.map((one) => `${one.path} ${one.code}`)].join(': ');
    }
    return 'none';
  };

  test('yes and no become preferences, an empty cell changes nothing, and any other text is an error of its row', async () => {
    const csv =
      'Mail,Letter,Deals\na@example.org,Yes,no\nb@example.org,,FALSE\nc@example.org,1,\nd@example.org,vielleicht,no\ne@example.org,constructor,\nA@example.org,0,\n';
    const mapping = { Mail: 'email', Letter: 'topic.news', Deals: 'topic.offers' };
    const result = await importCsv(csv, { mapping, consentNote: 'Ticked at the fair' });
    assert.equal([result.created, result.unchanged, result.rejected], [3, 1, 2]);
    assert.equal(
      result.faults.map(({ line, message }) => `${line} ${message}`),
      [5, 6].map((line) => `${line} topic.news: Write true or false, yes or no, 1 or 0.`),
    );
    assert.is(await preferencesOf('a@example.org'), 'news false import, offers false import', 'the later row counts');
    assert.is(await preferencesOf('b@example.org'), 'news false null, offers false import');
    assert.is(await preferencesOf('c@example.org'), 'news true import, offers true null');
    const exported = await bench.service.personalData.export(bench.workspaceId, { email: 'c@example.org' });
    assert.match(JSON.stringify(exported), 'Ticked at the fair');
    const subscribed = await bench.events('topic.subscribed');
    assert.equal(
      subscribed.map(({ topic, source }) => `${topic} ${source}`),
      ['news import'],
    );
  });

  test('a heading names its topic, and a contact without an address gets no preference', async () => {
    const result = await importCsv('external_id,email,topic.news\nu1,,yes\nu2,u2@example.org,yes\n');
    assert.equal([result.created, result.rejected, result.ignored_columns], [2, 0, []]);
    assert.is(await preferencesOf('u2@example.org'), 'news true import, offers true null');
    // Now the address is known, and the row names the contact by its own id.
    await calls().contacts.upsert({ external_id: 'u1', email: 'u1@example.org' });
    assert.is(await preferencesOf('u1@example.org'), 'news false null, offers true null');
    await importCsv('external_id,topic.news\nu1,yes\n');
    assert.is(await preferencesOf('u1@example.org'), 'news true import, offers true null');
  });

  test('an import cancels opt-outs that imports made, but no opt-out that a person or a call made', async () => {
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    for (const source of ['import', 'api', 'page', 'one_click'] as const) {
      const email = `${source}@example.org`;
      await inWorkspace(bench.service.core, workspace, async (ctx) => {
        await ctx.services.topics.set(ctx, { email, topics: new Map([['news', false]]), source });
      });
    }
    const rows = ['import', 'api', 'page', 'one_click'].map((source) => `${source}@example.org,yes`);
    const result = await importCsv(`email,topic.news\n${rows.join('\n')}`, { consentNote: 'They told us' });
    assert.equal([result.created, result.rejected], [4, 0]);
    assert.match(await preferencesOf('import@example.org'), 'news true import');
    assert.match(await preferencesOf('api@example.org'), 'news false api');
    assert.match(await preferencesOf('page@example.org'), 'news false page');
    assert.match(await preferencesOf('one_click@example.org'), 'news false one_click');
  });

  test('an import refuses an unknown topic, two columns of one topic, and a note without topics or a list', async () => {
    const attempt = (csv: string, options: object = {}) => faultOf(() => calls().contacts.import({ csv, ...options }));
    const unknown = 'email,topic.sport\na@example.org,yes\n';
    assert.is(await attempt(unknown), 'validation_failed: mapping topic_not_found');
    assert.is(
      await attempt('email,topic.__proto__\na@example.org,yes\n'),
      'validation_failed: mapping topic_not_found',
    );
    assert.is(
      await attempt('email,a,b\n', { mapping: { email: 'email', a: 'topic.news', b: 'topic.news' } }),
      'validation_failed: mapping csv_invalid',
    );
    assert.is(await attempt('email\n', { consentNote: 'yes' }), 'validation_failed: consentNote list_required');
    assert.match(await command(unknown), 'There is no topic "sport"');
    assert.equal((await calls().contacts.list({})).data, []);
  });

  test('if a topic is deleted during the import, the import ends with this reason', async () => {
    const { import_id } = await calls().contacts.import({ csv: 'email,topic.news\na@example.org,yes\n' });
    await calls().topics.delete({ key: 'news' });
    await bench.drain();
    const result = await calls().contacts.importRead({ importId: import_id });
    assert.equal([result.status, result.created, result.faults[0]?.code], ['failed', 1, 'topic_not_found']);
  });

  test('an import continues after an interruption between the contacts and their preferences', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `row${index}@example.org,yes\n`);
    crashes = ['contacts.rows_imported', 'contacts.following_rows'];
    const { import_id } = await calls().contacts.import({ csv: `email,topic.news\n${rows.join('')}` });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await bench.drain();
      bench.advanceClock(600_000);
    }
    assert.is((await calls().contacts.importRead({ importId: import_id })).status, 'completed');
    assert.is((await bench.events('topic.subscribed')).length, 300);
  });

  test('the leash of a key counts the people whom a file may subscribe', async () => {
    const key = await bench.keyWith(['contacts:write'], { mode: 'mcp', leash: { recipientsPerDay: 2 } });
    const csv = 'email,topic.news\na@example.org,yes\nb@example.org,yes\nc@example.org,yes\n';
    const { status, body } = await bench.request('/v1/contacts/imports', { method: 'POST', key, body: { csv } });
    assert.equal([status, body.error.code], [403, 'leash_exceeded']);
  });

  test('the command line imports topics in the same way, on its side', async () => {
    const options = { map: ['Letter=topic.news'], sandbox: true, consent: 'Asked for it' };
    assert.is(await command('email,Letter\nada@example.org,yes\n', options), 'none');
    assert.is(await preferencesOf('ada@example.org', true), 'news true import, offers true null');
    assert.equal((await calls().contacts.list({})).data, []);
    await command('email,topic.news\nada@example.org,yes\n', { 'dry-run': true });
    await calls().contacts.upsert({ email: 'ada@example.org' });
    assert.is(await preferencesOf('ada@example.org'), 'news false null, offers true null', 'a dry run stores nothing');
    assert.match(await command('email\n', { consent: 'yes' }), '--consent is about a list or topics');
  });
});
