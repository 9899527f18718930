/*
 * A service with large tables, and the units of work that growth.ts measures on it. Rows are copies of rows that the
 * service wrote: one send, delivered, with its timeline, content, job, event, audit entry and record.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { createService } from '../../core/index.ts';
import { Claimer } from '../../core/jobs/claim.ts';
import { giveBackListed } from '../../core/jobs/queue.ts';
import { createScheduleContext } from '../../core/jobs/schedule-context.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { subscribeToAllEvents } from '../../hosts/testing/subscribe-to-all-events.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { copyKey, fillStatement } from '../support/filled-tables.ts';
import { quotaOf } from '../support/job-bench.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { dataFolder } from './contestant-process.ts';

const everywhere = unscoped('the test looks at every workspace');

/** The location of the services' tables. */
export interface GrowthDatabase {
  storage(): StorageAdapter;
  remove(): Promise<void>;
}

/** Work that is measured as a whole. */
export interface Unit {
  /** The number of repetitions in a round. */
  readonly times: number;
  run(): Promise<unknown>;
}

/** A service with a given number of rows. */
export interface GrownService {
  readonly name: string;
  readonly filledMs: number;
  readonly units: Readonly<Record<string, Unit>>;
  close(): Promise<void>;
}

const mysqlUrl = process.env.MYSQL_URL ?? 'mysql://root@127.0.0.1:3306';

async function queryOnOtherMysqlConnection(sql: string): Promise<void> {
  const connection = await mysql.createConnection(mysqlUrl);
  await connection.query(sql);
  await connection.end();
}

/** Creates an empty schema, database or file. */
export async function openGrowthDatabase(storage: string): Promise<GrowthDatabase> {
  const schema = newSchema();
  if (storage === 'postgres') {
    return {
      storage: () => postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 4 }),
      remove: () => dropSchema(schema),
    };
  }
  if (storage === 'mariadb') {
    await queryOnOtherMysqlConnection(`create database ${schema}`);
    return {
      storage: () => mysqlStorage({ uri: `${mysqlUrl}/${schema}`, maxConnections: 4 }),
      remove: () => queryOnOtherMysqlConnection(`drop database ${schema}`),
    };
  }
  const folder = mkdtempSync(join(dataFolder, 'growth-'));
  return {
    storage: () => sqliteStorage({ filename: join(folder, 'growth.db') }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

const highLimits = { keyRate: 1e6, keyBurst: 1e6, workspacePerMinute: 1e9, monthlySendBudget: 1e9 };
/** The number of rows removed at once: one batch of retention. */
const batch = 500;

async function createBenchService(target: GrowthDatabase, prefix: string) {
  const service = createService({
    plugins: standardPlugins,
    storage: target.storage(),
    tablePrefix: prefix,
    mail: captureMail(),
    plans: { pro: highLimits },
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for benches only, 32 bytes' }] }),
  });
  await service.migrate();
  const defaultFrom = { email: 'hello@example.com', name: 'Bench' };
  const { id: workspaceId } = await service.workspaces.create({ name: 'Bench', plan: 'pro', defaultFrom });
  await subscribeToAllEvents(service, workspaceId);
  const { secret } = await service.keys.create({ workspaceId, name: 'Bench', preset: 'full' });
  const calls = service.as(workspaceId);
  await calls.templates.create({ key: 'bench', subject: 'Hello', body: '<p>Hello</p>', mode: 'html' });
  await calls.templates.publish({ key: 'bench' });
  let sentCount = 0;
  const ask = async (method: string, url: string, body?: unknown) => {
    sentCount += 1;
    const { status, body: text } = await service.dispatch({
      method,
      url,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': `${prefix}${sentCount}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      address: '127.0.0.1',
    });
    if (status >= 300) throw new Error(`${method} ${url} was answered ${status}: ${text}`);
    return JSON.parse(String(text)) as { next_cursor?: string; data?: unknown[] };
  };
  const send = () => ask('POST', '/v1/templates/bench/send', { to: 'ada@example.com' });
  await send();
  await service.drain();
  return { service, workspaceId, ask, send };
}

type Bench = Awaited<ReturnType<typeof createBenchService>>;

/** The minimum number of workspaces, so that a page of them is full. */
const fewWorkspaces = 100;

const filledTables = ['sends', 'send_events', 'send_contents', 'audit', 'jobs', 'outbox', 'idempotency', 'api_keys'];

/** Fills all tables. A third of the jobs each is done, waiting for another day, and ready. */
async function grow({ service }: Bench, rows: number, workspaces: number): Promise<void> {
  const { core } = service;
  const database = await core.database();
  const { dialect } = database.adapter;
  const migrations = core.registry.migrations.flatMap((owner) => owner.migrations);
  const run = (sql: string) =>
    database.driver.transact((connection) => connection.query({ sql, parameters: [] }), { longRunning: true });
  const spread = workspaces === 1 ? {} : { workspace_id: copyKey(dialect, `numbers.n % ${workspaces} + 1`) };
  const count = Math.max(fewWorkspaces, workspaces);
  await run(fillStatement(database, migrations, { table: 'workspaces', rows: count }));
  for (const table of filledTables) {
    const states = {
      state: `case numbers.n % 3 when 0 then 'ready' when 1 then 'waiting' else 'done' end`,
      run_at: `source.run_at + case numbers.n % 3 when 1 then 86400000 else 0 end + numbers.n`,
      finished_at: `case numbers.n % 3 when 2 then source.finished_at end`,
    };
    const expressions = { ...(table === 'jobs' ? states : {}), ...spread };
    await run(fillStatement(database, migrations, { table, rows, expressions }));
  }
  const tables = [...filledTables, 'workspaces'].map((table) => `${database.prefix}${table}`);
  if (dialect === 'mysql') await run(`analyze table ${tables.join(', ')}`);
  if (dialect === 'postgres') for (const table of tables) await run(`analyze ${table}`);
}

/** Opens a service and fills it. The rows belong to one workspace, or are distributed over many. */
export async function openGrown(
  target: GrowthDatabase,
  prefix: string,
  { rows, spread: workspaces }: { readonly rows: number; readonly spread: number },
): Promise<GrownService> {
  const bench = await createBenchService(target, prefix);
  const { service, ask, send } = bench;
  const startedAt = performance.now();
  await grow(bench, rows, workspaces);
  const filledMs = performance.now() - startedAt;
  const { core } = service;
  const database = await core.database();
  const oldest = async (table: 'sends' | 'outbox') =>
    database.read(everywhere, async ({ db }) => {
      const row = await db.selectFrom(table).select('created_at').orderBy('created_at').limit(1).executeTakeFirst();
      return Number(row?.created_at);
    });
  const [firstSend, firstEvent] = [await oldest('sends'), await oldest('outbox')];
  const now = Date.now();
  const context = createScheduleContext({ core, database }, now, new AbortController().signal);
  const claimer = new Claimer(core, database, 60_000);
  const middle = new Date(firstSend + rows / 2).toISOString();
  const { next_cursor: cursor } =
    workspaces === 1 ? await ask('GET', `/v1/sends?limit=25&until=${middle}`) : { next_cursor: undefined };
  const deep = cursor === undefined || cursor === null ? '/v1/sends?limit=25' : `/v1/sends?limit=25&cursor=${cursor}`;
  const batches = { sends: 0, outbox: 0 };
  const nextBatch = (table: 'sends' | 'outbox', first: number): number => {
    batches[table] += batch;
    return first + batches[table];
  };
  return {
    name: `${rows.toLocaleString('en')} rows in ${workspaces.toLocaleString('en')} workspace${workspaces === 1 ? '' : 's'}`,
    filledMs,
    close: () => service.stop(),
    units: {
      'accept, 16 at once': { times: 20, run: () => Promise.all(Array.from({ length: 16 }, send)) },
      'key look-up and admission': { times: 200, run: () => ask('GET', '/v1/workspace/members') },
      'list 25 sends, first page': { times: 50, run: () => ask('GET', '/v1/sends?limit=25') },
      'list 25 sends, from the middle': { times: 50, run: () => ask('GET', deep) },
      'list 25 audit entries': { times: 50, run: () => ask('GET', '/v1/audit?limit=25') },
      'list 100 workspaces': { times: 20, run: () => service.workspaces.list() },
      'claim 25 jobs and give them back': {
        times: 20,
        async run() {
          const { jobs } = await claimer.claim(quotaOf(25));
          const token = jobs[0]?.lease.token ?? '';
          await database.transact((scope) =>
            scope.handle(everywhere).run(
              ...giveBackListed(
                jobs.map(({ id }) => id),
                { token },
              ),
            ),
          );
        },
      },
      'all retention, nothing to do': {
        times: 3,
        async run() {
          for (const schedule of core.registry.schedules) await schedule.run(context);
        },
      },
      'retention of 500 events': {
        times: 1,
        run: () => context.purge('outbox', 'created_at', nextBatch('outbox', firstEvent)),
      },
      'retention of 500 sends, all parts': {
        times: 1,
        run: () =>
          context.purgeByWorkspace('sends', 'created_at', nextBatch('sends', firstSend), {
            send_events: 'send_id',
            send_contents: 'send_id',
            send_attachments: 'send_id',
          }),
      },
    },
  };
}
