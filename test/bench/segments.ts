/* The cost of counting the contacts of a segment with three conditions, compared with the same count in hand-written SQL:
 * `npx tsx test/bench/segments.ts [--storage sqlite|postgres] [--contacts 100000] [--rounds 8]`. A ratio of 1 means that
 * the compiled filter costs nothing more. Both run in turn, and the round of each with the least processor time counts. Each contact
 * has five types of events, and the third condition asks for one of them.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import type { SegmentFilter } from '../../plugins/segments/index.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { describeMachine } from './machine.ts';

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'sqlite' },
    contacts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '8' },
  },
});
const contacts = Number(values.contacts);
const rounds = Number(values.rounds);
const isPostgres = values.storage === 'postgres';
const day = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-'));
const schema = newSchema();
const tablePrefix = 'bench_';
const storage = isPostgres
  ? postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 1 })
  : sqliteStorage({ filename: join(folder, 'bench.db') });
const kit = await createTestService({ plugins: bareStandardPlugins, storage, tablePrefix });
const workspace = await readWorkspace(kit.service.core, kit.workspaceId);

const table = (name: string) => sql.raw(isPostgres ? `${schema}.${tablePrefix}${name}` : `${tablePrefix}${name}`);
const [people, activity] = [table('contacts'), table('contact_activity')];

/** The database generates the rows itself, because sending millions of rows would take an hour. */
const insertSize = 20_000;
const eventTypes = ['order.placed', 'signed.in', 'seen', 'asked', 'invited'];
for (let from = 0; from < contacts; from += insertSize)
  await inWorkspace(kit.service.core, workspace, async ({ trx, now }) => {
    const { db } = trx.unscoped('the bench fills its tables with generated rows');
    const last = Math.min(from + insertSize, contacts) - 1;
    const numbers = isPostgres
      ? sql`generate_series(${sql.lit(from)}::bigint, ${sql.lit(last)}::bigint) as numbers(n)`
      : sql`(with recursive numbers(n) as (
          select ${sql.lit(from)} union all select n + 1 from numbers where n < ${sql.lit(last)}
        ) select n from numbers) as numbers`;
    const digits = isPostgres ? sql`lpad(n::text, 26, '0')` : sql`printf('%026d', n)`;
    const attributes = sql`'{"name":"Person ' || n || '","plan":"' || case when n % 3 = 0 then 'pro' else 'free' end
      || '","seats":' || (n % 40) || ',"country":"AT","tags":["a","b"]}'`;
    await sql`
      insert into ${people} (id, workspace_id, sandbox, external_id, email, address_as_given, attributes, created_at, updated_at)
      select 'con_' || ${digits}, ${sql.lit(kit.workspaceId)}, 0, 'user_' || n, 'user' || n || '@example.com',
        'user' || n || '@example.com', ${attributes}, ${sql.lit(now)} - n, ${sql.lit(now)} from ${numbers}
    `.execute(db);
    for (const type of eventTypes)
      await sql`
        insert into ${activity} (workspace_id, sandbox, contact_id, type, first_at, last_at, count)
        select ${sql.lit(kit.workspaceId)}, 0, 'con_' || ${digits}, ${sql.lit(type)}, ${sql.lit(now - 100 * day)},
          ${sql.lit(now)} - (n % 90) * ${sql.lit(day)}, 3 from ${numbers}
      `.execute(db);
  });

const filter: SegmentFilter = {
  all: [
    { path: 'contact.attributes.plan', op: 'eq', value: 'pro' },
    { path: 'contact.attributes.seats', op: 'gte', value: 10 },
    { did: 'order.placed', since: 'P30D' },
  ],
};
const attributes: RawBuilder<unknown> = isPostgres
  ? sql`c.attributes::jsonb ->> 'plan' = 'pro' and (c.attributes::jsonb ->> 'seats')::numeric >= 10`
  : sql`json_extract(c.attributes, '$.plan') = 'pro' and json_extract(c.attributes, '$.seats') >= 10`;

/** Milliseconds of processor time that the database has used. On a machine that does other work, wall-clock time is unreliable. */
async function processorTime(): Promise<number> {
  if (!isPostgres) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  // The server runs on this machine, and the pool has one connection.
  const pid = await inWorkspace(kit.service.core, workspace, async ({ trx }) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
      trx.unscoped('the bench asks the server for its process').db,
    );
    return rows[0]?.pid;
  });
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds and the result. */
const timeOf = async (run: () => Promise<number>): Promise<[number, number]> => {
  const startedAt = await processorTime();
  const result = await run();
  return [(await processorTime()) - startedAt, result];
};

const countCompiled = () =>
  inWorkspace(kit.service.core, workspace, async (ctx) => ctx.services.segments.count(ctx, filter));
const byHand = () =>
  inWorkspace(kit.service.core, workspace, async ({ trx, now }) => {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from ${people} c
      where c.workspace_id = ${kit.workspaceId} and c.sandbox = 0 and ${attributes} and exists (
        select 1 from ${activity} a where a.workspace_id = ${kit.workspaceId} and a.sandbox = 0
        and a.contact_id = c.id and a.type = 'order.placed' and a.last_at >= ${now - 30 * day})
    `.execute(trx.unscoped('the bench compares with SQL written by hand').db);
    return Number(rows[0]?.total);
  });

// A database that has run for a while knows how many rows its tables have.
if (isPostgres)
  for (const name of [people, activity])
    await inWorkspace(kit.service.core, workspace, async ({ trx }) => {
      await sql`analyze ${name}`.execute(trx.unscoped('the bench has just filled the tables').db);
    });

const times: Record<'compiled' | 'byHand', number[]> = { compiled: [], byHand: [] };
for (let round = 0; round < rounds; round += 1) {
  const [own, found] = await timeOf(countCompiled);
  const [hand, expected] = await timeOf(byHand);
  if (found !== expected) throw new Error(`The compiled filter finds ${found} contacts, the SQL by hand ${expected}.`);
  times.compiled.push(own);
  times.byHand.push(hand);
}
const [own, hand] = [Math.min(...times.compiled), Math.min(...times.byHand)];
console.log(await describeMachine(folder));
console.log(
  `${values.storage}, ${contacts} contacts: ${own.toFixed(0)} ms compiled, ${hand.toFixed(0)} ms by hand, ratio ${(own / hand).toFixed(2)}`,
);
await kit.close();
if (isPostgres) await dropSchema(schema);
rmSync(folder, { recursive: true, force: true });
