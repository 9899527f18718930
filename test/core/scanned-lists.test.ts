// Lists with a filter that no index answers: each page reads 20,000 rows at most, and following the cursors finds every match.
// time-limit: 200
import * as assert from 'uvu/assert';
import { type ConsoleContext, type Service, scannedRows } from '../../core/index.ts';
import { firstPageWithRows } from '../../core/unstable.ts';
import { browserHeaders } from '../support/console-bench.ts';
import { onePageOfEach } from '../support/console-pages.ts';
import { openSamples } from '../support/console-samples.ts';
import { twoDatabases } from '../support/databases.ts';
import { fillSamples } from '../support/filled-samples.ts';
import { pageRequester } from '../support/page-requester.ts';

const rows = 2 * scannedRows + 5_000;

interface Page {
  readonly data: readonly object[];
  readonly next_cursor: string | null;
}

/** All rows of a list, with the number of its pages. Stops after ten pages. */
async function readAllPages(read: (at: { readonly cursor?: string }) => Promise<Page>) {
  const found: object[] = [];
  let page = await read({});
  let pages = 1;
  for (found.push(...page.data); page.next_cursor !== null && pages < 10; pages += 1) {
    page = await read({ cursor: page.next_cursor });
    found.push(...page.data);
  }
  return { found, pages };
}

await twoDatabases('lists with a filter without an index', (test, testDatabase) => {
  let samples: Awaited<ReturnType<typeof openSamples>>;
  test.before(async () => {
    samples = await openSamples({ storage: testDatabase.createStorage(), tablePrefix: testDatabase.newPrefix() });
  });
  test.after(() => samples.close());

  const callsOf = (sandbox: boolean) =>
    (samples.service as Service<'audit' | 'jobs' | 'links'>).as(samples.workspaceId, { sandbox });
  const fill = async (table: string, expressions: Readonly<Record<string, string>>) => {
    const { found } = await onePageOfEach(samples);
    assert.ok(await fillSamples(samples, found, { table, rows, expressions }), `no row of ${table} to copy`);
  };

  test('the audit finds old entries of an action, of a kind of action and of an actor', async () => {
    const { service, workspaceId } = samples;
    const calls = callsOf(false);
    const filters = [{ action: 'page.publish' }, { action: 'lead_magnet.*' }, { actor: 'system', action: 'list.*' }];
    const before = [];
    for (const filter of filters) before.push((await calls.audit.list({ ...filter, limit: 100 })).data);
    assert.ok(before[0]?.length);
    assert.ok(before[1]?.length);
    await fill('audit', { action: `'copied.change'`, actor_kind: `'api'`, actor_key_id: 'null' });
    for (const [index, filter] of filters.entries()) {
      const { found, pages } = await readAllPages((at) => calls.audit.list({ ...filter, limit: 100, ...at }));
      assert.equal(found, before[index], JSON.stringify(filter));
      assert.is(pages, 3, 'a page reads 20,000 entries');
    }
    const newest = await calls.audit.list({ action: 'copied.change', limit: 5 });
    assert.is(newest.data.length, 5);
    const whole = await calls.audit.list({ limit: 5 });
    assert.is(whole.data.length, 5);

    const ask = pageRequester(service, `/console/${workspaceId}`, () => '127.0.0.1');
    const { text } = await ask('/audit?action=page.publish', browserHeaders);
    assert.match(text, 'page.publish');
    assert.not.match(text, 'No change matches');
    const none = await ask('/audit?action=never.done', browserHeaders);
    assert.match(none.text, 'No change matches these filters.');
  });

  test('the search for short links finds an old link by its label and by its tag', async () => {
    const calls = callsOf(true);
    const label = 'The only one with this name';
    await calls.links.create({ destinationUrl: 'https://example.com/old', label, tags: ['rare'] });
    await fill('links', { label: `'copy'`, tags: `'[]'`, destination_url: `'https://example.com/copy'` });
    for (const filter of [{ search: 'the only one' }, { tag: 'rare' }]) {
      const { found, pages } = await readAllPages((at) => calls.links.list({ ...filter, ...at }));
      assert.equal(
        found.map((link) => (link as { readonly label: string | null }).label),
        [label],
      );
      assert.is(pages, 3);
    }
    assert.is((await calls.links.list({ search: 'copy', limit: 3 })).data.length, 3);
  });

  test('failed jobs of a rare kind are found among many others', async () => {
    const calls = callsOf(true);
    const kind = `case numbers.n when 1 then 'rare.kind' else 'copied.kind' end`;
    const failedAt = 'source.created_at + 1000000000 + numbers.n';
    await fill('jobs', { kind, state: `'waiting'`, failed_at: failedAt });
    for (const filter of [{ kind: 'rare.kind' }, { kind: 'rare.kind', state: 'waiting' as const }]) {
      const { found, pages } = await readAllPages((at) => calls.jobs.list({ ...filter, ...at }));
      assert.is(found.length, 1, JSON.stringify(filter));
      assert.is(pages, 3, 'a page reads 20,000 jobs');
    }
    assert.is((await calls.jobs.list({ kind: 'copied.kind', limit: 3 })).data.length, 3);
  });

  test('a page of the console reads on until a row is found, ten pages at most', async () => {
    const context: Pick<ConsoleContext, 'query'> = { query: {} };
    const cursors: (string | undefined)[] = [];
    const pageWithRowAfter =
      (empty: number) =>
      async ({ cursor }: { readonly cursor?: string }) => {
        cursors.push(cursor);
        return cursors.length > empty
          ? { data: [1], next_cursor: null }
          : { data: [], next_cursor: `${cursors.length}` };
      };
    assert.equal((await firstPageWithRows(context, pageWithRowAfter(3))).data, [1]);
    assert.equal(cursors, [undefined, '1', '2', '3']);
    cursors.length = 0;
    assert.equal(await firstPageWithRows(context, pageWithRowAfter(100)), { data: [], next_cursor: '10' });
    assert.is(cursors.length, 10);
  });
});
