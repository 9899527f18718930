// Explains the statements of every page of the console, with each of its filters, on lists of thousands of rows: no page reads more rows
// as a list grows. The pages come from the composed plugins, and the filters from the pages, so the test covers new ones automatically.
// time-limit: 400
// full-run: slow
import * as assert from 'uvu/assert';
import { browserHeaders } from '../support/console-bench.ts';
import { onePageOfEach } from '../support/console-pages.ts';
import { openSamples } from '../support/console-samples.ts';
import { eachDatabase } from '../support/databases.ts';
import { fillSamples } from '../support/filled-samples.ts';
import { pageRequester } from '../support/page-requester.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { findWideReads } from '../support/wide-reads.ts';
import { knownWideReads } from './known-wide-reads.ts';

type Samples = Awaited<ReturnType<typeof openSamples>>;

const rows = 6_000;

/** Tables that have one row for each schedule, migration, workspace or keyring. */
const smallTables = ['schedule_slots', 'migrations', 'changelog', 'keyring_checks', 'budget_locks', 'workspaces'];

/** Statements of pages that may read many of the rows of this test, each with the reason. */
const wideReadsOfPages: readonly (readonly [RegExp, string])[] = [
  ...knownWideReads,
  [/from \S*audit. where .*(action|actor_kind). = /, 'looks through 20,000 entries at most'],
  [/from \S*jobs. where .*failed_at. is not null.*kind. = /, 'looks through 20,000 failed jobs at most'],
  [/from \S*links. where .*lower.*like/, 'looks for a part of a text in 20,000 links at most'],
  [/select \S+ as .createdAt., .id. as .id. from .* offset/, 'finds the end of a scan of 20,000 rows'],
  [/from \S*templates. where .*status. (!=|=) /, 'people write the templates by hand, so a workspace has few'],
  [
    /from \S*suppressions. where .*email. in \(/,
    'reads some hundred addresses by their keys; a small table is read whole',
  ],
  [
    /from \S*broadcast_tallies. where .*broadcast_id. in \(/,
    'a broadcast has some hundred rows; all test rows belong to one broadcast',
  ],
  [
    /from \S*sequence_tallies. where .*sequence_id. (=|in)/,
    'a sequence has some hundred rows; all test rows belong to one sequence',
  ],
  [/from \S*sequence_runs. where .*contact_id. = .*limit/, 'the runs of one contact; all test rows belong to one'],
  [/from \S*outbox. where .*subject. in \(.*limit/, 'the events of one send; all test rows belong to one'],
  [/from \S*social_event_runs. where .*post_id. in \(select/, 'lists runs by a status that depends on their posts'],
  [/from \S*brand_themes. where .*brand_id. in/, 'a brand has ten themes'],
  [/from \S*qr_addresses. where .*email. in/, 'a small table is read whole'],
];

/** The queries of a page's filter: each choice of each field, and a text in each text field. */
function filterQueries(text: string): string[] {
  const [form = ''] = /<form class="filters"[\s\S]*?<\/form>/.exec(text) ?? [];
  const choices = [...form.matchAll(/<select name="(\w+)">([\s\S]*?)<\/select>/g)].flatMap(([, name, options = '']) =>
    [...options.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => [name, value]),
  );
  const texts = [...form.matchAll(/<input type="search" name="(\w+)"/g)].map(([, name]) => [name, 'ada@example.com']);
  return [...choices, ...texts].map(([name = '', value = '']) => `&${name}=${encodeURIComponent(value)}`);
}

/** Opens every page with each of its filters, and the second page of its list. Returns the number of answers. */
async function openPages({ service, workspaceId }: Samples, found: ReadonlyMap<string, string>): Promise<number> {
  let opened = 0;
  const ask = pageRequester(service, `/console/${workspaceId}`, () => `127.0.${Math.floor(opened / 20)}.1`);
  const open = async (path: string): Promise<string> => {
    opened += 1;
    const { status, text } = await ask(path, browserHeaders);
    assert.ok(status === 200 || status === 422, `${path}: ${status}`);
    return text;
  };
  for (const path of found.values()) {
    const text = await open(`/${path}?side=sandbox`);
    for (const query of filterQueries(text)) await open(`/${path}?side=sandbox${query}`);
    const [, next] = /rel="next" href="[^"]*\/([^"/?]*\?[^"]*)"/.exec(text) ?? [];
    if (next !== undefined) await open(`/${path}?${(next.split('?')[1] ?? '').replaceAll('&amp;', '&')}`);
  }
  return opened;
}

await eachDatabase('the statements of the console', (test, testDatabase) => {
  test('no page reads more rows as lists grow, with any of its filters', async () => {
    const { storage, statements } = recordStatements(testDatabase.createStorage());
    const samples = await openSamples({ storage, tablePrefix: testDatabase.newPrefix() });
    try {
      const { core } = samples.service;
      const database = await core.database();
      const { found } = await onePageOfEach(samples);
      statements.clear();
      const opened = await openPages(samples, found);
      assert.ok(opened > 120, `only ${opened} pages`);
      const executed = new Map(statements);
      for (const change of core.registry.migrations.flatMap(({ migrations }) =>
        migrations.flatMap((one) => one.changes),
      ))
        if ('create' in change && !smallTables.includes(change.create))
          await fillSamples(samples, found, { table: change.create, rows });
      const wide = await findWideReads(database, executed, smallTables);
      const unknown = wide.filter(({ sql }) => !wideReadsOfPages.some(([pattern]) => pattern.test(sql)));
      assert.equal(unknown, [], unknown.map(({ sql, reason }) => `${reason}\n  ${sql}`).join('\n'));
    } finally {
      await samples.close();
    }
  });
});
