/*
 * Workload: a page of 25 sends through the whole pipeline, in process, at 10,000 rows and at many more: its cost
 * must not grow. `npx tsx test/bench/list.ts [--storage sqlite|postgres] [--rows 1000000] [--rounds 5] [--seconds 1]`
 * The floor of each page is the same page over 10,000 rows.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import pg from 'pg';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { dataFolder } from './contestant-process.ts';
import { compareInProcess, inProcessOptions } from './in-process.ts';

const { values } = parseArgs({
  options: { storage: { type: 'string', default: 'sqlite' }, rows: { type: 'string', default: '1000000' } },
  strict: false,
});
const onSqlite = values.storage === 'sqlite';
const rows = Number(values.rows);
const base = Date.parse('2026-01-01T00:00:00Z');
const folder = mkdtempSync(join(dataFolder, 'list-'));
const schema = newSchema();
const filename = join(folder, 'list.db');
const template =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>';

/** Runs SQL outside of the service, on either database. */
async function runOutside(statements: readonly string[]): Promise<void> {
  if (onSqlite) {
    const database = new Database(filename);
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: postgresUrl, options: `-c search_path=${schema}` });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const numbers = (count: number): string =>
  onSqlite
    ? `(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count}) select n from n) numbers`
    : `generate_series(1, ${count}) numbers(n)`;
const numberedId = (prefix: string): string =>
  onSqlite ? `'${prefix}' || printf('%026d', n)` : `'${prefix}' || lpad(n::text, 26, '0')`;

/** `insert … select` of one row many times, with new values in the given columns. */
function copies(
  table: string,
  columns: readonly string[],
  changedColumns: Readonly<Record<string, string>>,
  count: number,
) {
  const selectedColumns = columns.map((name) => changedColumns[name] ?? `source.${name}`);
  return `insert into ${table} (${columns.join(', ')}) select ${selectedColumns.join(', ')}
          from (select * from ${table} limit 1) source, ${numbers(count)}`;
}

/** Opens a service whose workspace has `count` sends. */
async function open(prefix: string, count: number) {
  const storage = onSqlite
    ? sqliteStorage({ filename })
    : postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 4 });
  const service = createService({
    plugins: standardPlugins,
    storage,
    tablePrefix: prefix,
    mail: captureMail(),
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for benches only, 32 bytes' }] }),
  });
  await service.migrate();
  const { id } = await service.workspaces.create({
    name: 'Bench',
    plan: 'pro',
    defaultFrom: { email: 'hello@example.com', name: 'Bench' },
  });
  const calls = service.as(id);
  await calls.templates.create({ key: 'list-bench', subject: 'Hello', body: template });
  await calls.templates.publish({ key: 'list-bench' });
  await calls.email.send({ template: 'list-bench', to: 'ada@example.com', tags: ['group'] });
  const time = `${base} + n * 1000`;
  const statuses = `case n % 10 when 0 then 'bounced' when 1 then 'failed' else 'delivered' end`;
  const { sends, events } = await service.core.database().then((database) =>
    database.read(unscoped('the test looks at every workspace'), async ({ db }) => ({
      sends: Object.keys(
        (await db.selectFrom('sends').selectAll().where('workspace_id', '=', id).executeTakeFirstOrThrow()) as object,
      ),
      events: Object.keys(
        (await db
          .selectFrom('send_events')
          .selectAll()
          .where('workspace_id', '=', id)
          .executeTakeFirstOrThrow()) as object,
      ),
    })),
  );
  const group = onSqlite ? `'group' || (n % 200)` : `'group' || (n % 200)::text`;
  const address = onSqlite ? `'user' || (n % 200) || '@example.com'` : `'user' || (n % 200)::text || '@example.com'`;
  await runOutside([
    copies(
      `${prefix}sends`,
      sends,
      {
        id: numberedId('snd_'),
        message_id: numberedId('msg_'),
        created_at: time,
        status: statuses,
        to_address: address,
        to_normalised: address,
      },
      count,
    ),
    `insert into ${prefix}send_tags (workspace_id, sandbox, tag, created_at, send_id)
     select source.workspace_id, source.sandbox, ${group}, ${time}, ${numberedId('snd_')}
     from (select * from ${prefix}send_tags limit 1) source, ${numbers(count)}`,
    copies(`${prefix}send_events`, events, { id: numberedId('evt_'), send_id: numberedId('snd_'), ts: time }, count),
    'analyze',
    ...(onSqlite ? [] : [`vacuum analyze ${prefix}sends`, `vacuum analyze ${prefix}send_events`]),
  ]);
  const middle = new Date(base + (count / 2) * 1_000).toISOString();
  const deep = await calls.sends.list({ limit: 25, until: middle });
  assert.equal(deep.data.length, 25);
  const cursor = deep.next_cursor;
  assert.ok(cursor);
  return {
    close: () => service.stop(),
    pages: {
      'first page': () => calls.sends.list({ limit: 25 }),
      'page after a cursor': () => calls.sends.list({ limit: 25, cursor }),
      'by recipient': () => calls.sends.list({ limit: 25, to: 'user42@example.com' }),
      'by tag': () => calls.sends.list({ limit: 25, tag: 'group42' }),
      'by status': () => calls.sends.list({ limit: 25, status: 'bounced' }),
    },
  };
}

console.log(`Filling ${values.storage} with 10,000 and ${rows.toLocaleString('en')} sends …`);
const few = await open('few_', 10_000);
const many = await open('many_', rows);
const results: Record<string, number> = {};
for (const [name, page] of Object.entries(few.pages)) {
  const big = many.pages[name as keyof typeof many.pages];
  assert.equal((await page()).data.length, 25, name);
  assert.equal((await big()).data.length, 25, name);
  const { ratios } = await compareInProcess(
    `${name}, ${values.storage}`,
    [
      { name: '10,000 rows', run: page },
      { name: `${rows.toLocaleString('en')} rows`, run: big },
    ],
    inProcessOptions(),
  );
  results[name] = Number((1 / (Object.values(ratios)[1] ?? Number.NaN)).toFixed(2));
}
console.log('What a page costs at many rows, in pages at 10,000:', JSON.stringify(results));
await few.close();
await many.close();
rmSync(folder, { recursive: true, force: true });
if (!onSqlite) await dropSchema(schema);
