// Writes hostile texts into every stored text of every table, and opens every page of the console. The pages come from the composed
// plugins, and the columns from their migrations, so the test covers new pages and columns automatically. A page that shows no stored
// text must be listed here.
// time-limit: 400
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { ColumnType } from '../../core/contract/declaration/migration.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { AnyTestService } from '../../hosts/testing/test-service.ts';
import { submissionRows } from '../../plugins/pages/tables.ts';
import { browserHeaders } from '../support/console-bench.ts';
import { onePageOfEach } from '../support/console-pages.ts';
import { openSamples } from '../support/console-samples.ts';
import { pageFaults, payloads } from '../support/html-payloads.ts';
import { pageRequester } from '../support/page-requester.ts';
import { type RecordedStatements, recordStatements } from '../support/recorded-statements.ts';

type Samples = Awaited<ReturnType<typeof openSamples>>;
type Row = Record<string, unknown>;

const test = suite<{ samples: Samples; statements: RecordedStatements }>('hostile rows in the console');

/** One text with all hostile forms. A page that shows the text escaped still contains its beginning. */
const hostile = `zq ${payloads.join(' ')}`;

/** Pages that show no stored text, each with the reason. */
const withoutStoredTexts: Readonly<Record<string, string>> = {
  'approvals/{requestId}/after': 'a document in a frame without scripts, whose HTML is written by the team',
  'approvals/{requestId}/before': 'a document in a frame without scripts, whose HTML is written by the team',
  'assets/{assetId}/picture': 'a picture',
  'contacts/import': 'a form that begins empty',
  'contacts/imports/{importId}': 'numbers, and the faults of the file, of which the sample has none',
  'designs/{compositionId}/picture': 'a picture',
  'events/{type}': 'the catalogue, which the plugins declare',
  jobs: 'kinds and codes, which the plugins declare',
  members: 'the directory of the program, which is not stored',
  reputation: 'a state and numbers; the notes of its changes are those of the live side',
  'templates/{key}/preview': 'a document in a frame without scripts, whose HTML is written by the team',
};

/** One stored text of a table: a column, or a place inside the JSON of a column. */
interface TextPath {
  readonly column: string;
  /** The names and indexes that lead to the text in a JSON column; undefined for a plain text. */
  readonly path?: string;
}

/** The paths of the texts in a JSON value. The items of a list share one path. */
function pathsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => pathsIn(item, `${path}.${name}`));
}

function replacedIn(value: unknown, paths: ReadonlySet<string>, text: string, path = ''): unknown {
  if (typeof value === 'string') return paths.has(path) ? text : value;
  if (Array.isArray(value)) return value.map((item) => replacedIn(item, paths, text, `${path}[]`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replacedIn(item, paths, text, `${path}.${name}`)]),
  );
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : undefined);

function columnsOf({ service }: Samples): ReadonlyMap<string, ReadonlyMap<string, ColumnType>> {
  const tables = new Map<string, Map<string, ColumnType>>();
  for (const change of service.core.registry.migrations.flatMap(({ migrations }) =>
    migrations.flatMap((m) => m.changes),
  ))
    if ('create' in change) tables.set(change.create, new Map(Object.entries(change.columns)));
    else if ('alter' in change && 'add' in change)
      for (const [name, type] of Object.entries(change.add)) tables.get(change.alter)?.set(name, type);
  return tables;
}

const isText = (type: ColumnType): boolean => /^(text|address|key)\??$/.test(type);

function textLocations(columns: ReadonlyMap<string, ColumnType>, rows: readonly Row[]): TextPath[] {
  return [...columns].flatMap(([column, type]) => {
    if (isText(type)) return rows.some((row) => typeof row[column] === 'string') ? [{ column }] : [];
    if (!type.startsWith('json')) return [];
    return [...new Set(rows.flatMap((row) => pathsIn(parsed(row[column]))))].map((path) => ({ column, path }));
  });
}

function withHostile(row: Row, index: number, places: readonly TextPath[]): Row {
  // Some columns must be unique.
  const text = `${hostile}${index}`;
  const changed: Row = { ...row };
  for (const { column, path } of places) {
    const value = row[column];
    if (typeof value !== 'string') continue;
    if (path === undefined) changed[column] = text;
    else {
      const paths = new Set(
        places.flatMap((one) => (one.column === column && one.path !== undefined ? [one.path] : [])),
      );
      changed[column] = JSON.stringify(replacedIn(JSON.parse(value), paths, text));
    }
  }
  return changed;
}

/** Lists for which the sample data of development has no row. */
const listsWithoutSample = ['oauth.grants', 'jobs.list', 'requests.list', 'sms.deliveries', 'content_plan.news'];

/** Adds a row to each of these lists, and a form that a visitor sent, on the side of the samples. */
async function addRows({ service, workspaceId }: Samples): Promise<void> {
  const { core } = service;
  const kit = createFixtureKit({ service, workspaceId, foreignWorkspaceId: workspaceId } as unknown as AnyTestService);
  for (const id of listsWithoutSample) {
    const { exampleRow } = core.registry.operations.get(id) ?? {};
    if (typeof exampleRow !== 'function') throw new Error(`${id} has no example row.`);
    await exampleRow(kit, workspaceId, {});
  }
  const { driver, prefix } = await core.database();
  await inWorkspace(core, await readWorkspace(core, workspaceId), async ({ trx, now }) => {
    const [page] = await trx
      .onSide(true)
      .db.selectFrom('pages')
      .select(['id', 'slug'])
      .where('status', '=', 'published')
      .execute();
    await submissionRows.insert(trx.onSide(true), {
      ...{ id: 'sub_sample', sandbox: true, page_id: page?.id ?? '', slug: page?.slug ?? '', form_id: 'signup' },
      ...{ fields: { name: 'Ada' }, status: 'received', email: 'form@example.com', email_as_given: 'form@example.com' },
      ...{ consent_text: 'Yes', list_id: null, sequence_key: null, lead_magnet_id: null, language: 'en' },
      ...{ contact_id: null, confirmed: false, confirmed_at: null, kept_from: now, created_at: now },
    });
  });
  const moved = ['jobs', 'request_log', 'sms_messages', 'sms_events', 'sms_contents', 'sms_consents', 'api_keys'];
  for (const table of moved)
    await driver.transact((connection) =>
      connection.query({ sql: `update ${prefix}${table} set sandbox = 1`, parameters: [] }),
    );
}

test.before(async (context) => {
  const { storage, statements } = recordStatements(sqliteStorage({ filename: ':memory:' }));
  context.statements = statements;
  context.samples = await openSamples({ storage });
  await addRows(context.samples);
});
test.after(({ samples }) => samples.close());

test('the test detects a page that shows one of the texts unescaped', () => {
  const page = (content: string) =>
    `<!doctype html><title>Page</title><main id="main"><p title="${content}">${content}</p></main>`;
  assert.equal(pageFaults(page('Ada &lt;b&gt; &quot; onmouseover=&quot;alert(1)')), []);
  for (const payload of payloads) assert.ok(pageFaults(page(payload)).length > 0, payload);
  for (const altered of ['<SVG ONLOAD=alert(1)>', '<a href=" java&#115;cript:x">x</a>', '<iframe src="/x"></iframe>'])
    assert.ok(pageFaults(page(altered)).length > 0, altered);
});

test('no page shows a stored text as HTML, and every page is shown with hostile texts', async ({
  samples,
  statements,
}) => {
  const { service, workspaceId } = samples;
  const { driver, prefix } = await service.core.database();
  const { found, lost } = await onePageOfEach(samples);
  assert.equal(lost, []);
  const query = async (sql: string, parameters: readonly unknown[] = []) =>
    (await driver.transact((connection) => connection.query({ sql, parameters: parameters as never }))).rows;
  let requests = 0;
  const ask = pageRequester(service, `/console/${workspaceId}`, () => {
    requests += 1;
    return `127.${Math.floor(requests / 5_000)}.${Math.floor(requests / 20) % 250}.1`;
  });
  const faults: string[] = [];
  const provenPages = new Set<string>();

  async function write(table: string, rows: readonly Row[]): Promise<void> {
    await driver.transact(async (connection) => {
      await connection.query({ sql: `delete from ${prefix}${table}`, parameters: [] });
      for (const row of rows) {
        const names = Object.keys(row);
        const sql = `insert into ${prefix}${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`;
        await connection.query({ sql, parameters: Object.values(row) as never });
      }
    });
  }

  /** Visits the pages, and returns the pages that do not show the rows. */
  async function visit(kinds: readonly string[], label: string): Promise<string[]> {
    const broken: string[] = [];
    for (const kind of kinds) {
      const { status, headers, text } = await ask(`/${found.get(kind)}?side=sandbox`, browserHeaders);
      if (status !== 200) broken.push(kind);
      const type = headers['Content-Type'] ?? '';
      if (headers['X-Content-Type-Options'] !== 'nosniff') faults.push(`${kind} can be sniffed`);
      // If the hostile text breaks the schema of the answer, the service sends an error as JSON.
      if (type.startsWith('application/json') && status >= 500) continue;
      // No stored text can turn a picture into a page.
      if (/^image\/(?!svg)/.test(type)) continue;
      if (!type.startsWith('text/html')) assert.match(headers['Content-Disposition'] ?? '', /^attachment/, kind);
      else if (!text.includes('<main id="main"'))
        assert.match(headers['Content-Security-Policy'] ?? '', /default-src 'none'.*; sandbox$/, kind);
      else faults.push(...pageFaults(text).map((fault) => `${kind} with ${label}: ${fault}`));
      // The search leaves out the header and the navigation, because they show the name of the workspace.
      const content = text.slice(Math.max(0, text.indexOf('<main id="main"')));
      if (status === 200 && content.includes('zq ')) provenPages.add(kind);
    }
    return broken;
  }

  /** Writes hostile texts into all places at once. For pages that then do not show the rows, it writes into fewer places at a time. */
  async function attack(table: string, rows: readonly Row[], places: readonly TextPath[], kinds: readonly string[]) {
    await write(
      table,
      rows.map((row, index) => withHostile(row, index, places)),
    );
    const [{ column = '', path = '' } = {}] = places;
    const broken = await visit(kinds, `${table}.${column}${path}`);
    if (broken.length === 0 || places.length === 1) return;
    const half = Math.ceil(places.length / 2);
    await attack(table, rows, places.slice(0, half), broken);
    await attack(table, rows, places.slice(half), broken);
  }

  const kinds = [...found.keys()];
  /** The pages that read the table. */
  const readers = new Map<string, string[]>();
  const tables = columnsOf(samples);
  for (const kind of kinds) {
    statements.clear();
    assert.equal(await visit([kind], 'no hostile text'), []);
    const executed = [...statements.keys()].join('\n');
    for (const table of tables.keys())
      if (new RegExp(`\\b${prefix}${table}\\b`).test(executed))
        readers.set(table, [...(readers.get(table) ?? []), kind]);
  }
  for (const [table, columns] of tables) {
    const rows = await query(`select * from ${prefix}${table}`);
    const places = textLocations(columns, rows);
    if (rows.length === 0 || rows.length > 1_000 || places.length === 0) continue;
    await attack(table, rows, places, readers.get(table) ?? []);
    await write(table, rows);
  }
  assert.equal(faults, []);
  assert.equal(kinds.filter((kind) => !provenPages.has(kind)).sort(), Object.keys(withoutStoredTexts).sort());
});

test.run();
