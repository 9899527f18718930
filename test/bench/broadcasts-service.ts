// The service that broadcasts.ts measures: very many contacts in one list, a marketing template, and a mail adapter that only counts.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, type StorageAdapter } from '../../core/index.ts';
import type { MailAdapter, OutgoingMail } from '../../plugins/email/port/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import type { DatabaseKind } from '../faults/databases.ts';
import { copyKey, fillStatement } from '../support/filled-tables.ts';
import { createMysqlDatabase, dropMysqlDatabase, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { dataFolder } from './contestant-process.ts';

/** A mail adapter that accepts every mail and stores none. */
export function countingMail() {
  let mails = 0;
  let listen = (_mail: OutgoingMail): void => undefined;
  const adapter: MailAdapter = {
    id: 'counting',
    capabilities: { idempotent: false, captures: false },
    async send(mail) {
      mails += 1;
      listen(mail);
      return { providerMessageId: mail.messageId, response: 'counted' };
    },
    close: async () => undefined,
  };
  return {
    adapter,
    count: () => mails,
    onMail: (listener: (mail: OutgoingMail) => void) => {
      listen = listener;
    },
  };
}

/**
 * Watches the server's processes for the connections with this name. The server runs on this machine. A pool closes idle connections, so
 * the times are read again and again, and the times of closed connections are kept.
 */
async function watchServer(name: string) {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const times = new Map<number, number>();
  const readProcessorTimes = async (): Promise<void> => {
    const { rows } = await client.query('select pid from pg_stat_activity where application_name = $1', [name]);
    for (const { pid } of rows as { pid: number }[]) {
      const file = `/proc/${pid}/stat`;
      const fields = existsSync(file) ? (readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []) : [];
      if (fields.length > 0) times.set(pid, (Number(fields[11]) + Number(fields[12])) * 10);
    }
  };
  const timer = setInterval(() => void readProcessorTimes(), 300);
  return {
    /** Milliseconds of processor time since the first connection. */
    async serverMs(): Promise<number> {
      await readProcessorTimes();
      return [...times.values()].reduce((sum, ms) => sum + ms, 0);
    },
    async end(): Promise<void> {
      clearInterval(timer);
      await client.end();
    },
  };
}

async function storageOf(kind: DatabaseKind, folder: string) {
  const none = async () => 0;
  const schema = newSchema();
  if (kind === 'sqlite')
    return {
      storage: sqliteStorage({ filename: join(folder, 'broadcasts.db') }),
      schema,
      drop: async () => undefined,
      serverMs: none,
    };
  if (kind === 'postgres') {
    const connectionString = `${postgresUrl}?application_name=${schema}`;
    const { serverMs, end } = await watchServer(schema);
    const drop = async (): Promise<void> => {
      await end();
      await dropSchema(schema);
    };
    return { storage: postgresStorage({ connectionString, schema }), schema, drop, serverMs };
  }
  const name = await createMysqlDatabase();
  return {
    storage: mysqlStorage({ uri: mysqlUrlOf(name) }),
    schema,
    drop: () => dropMysqlDatabase(name),
    serverMs: none,
  };
}

const joinedColumns = {
  sqlite: ['', ' || ', ''],
  postgres: ['concat(', ', ', ')'],
  mysql: ['concat(', ', ', ')'],
} as const;
const domainOf = {
  sqlite: "substr(c.email, instr(c.email, '@') + 1)",
  postgres: "split_part(c.email, '@', 2)",
  mysql: "substring_index(c.email, '@', -1)",
} as const;

/** A service on this storage. All processes of a workload have the same keyring and plans. */
export const createBroadcastsService = (storage: StorageAdapter, mail: MailAdapter) =>
  createService({
    plugins: standardPlugins,
    storage,
    mail,
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error },
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench, 32 bytes' }] }),
    plans: { scale: { monthlySendBudget: Number.POSITIVE_INFINITY } },
  });

/** A message from the separate worker process: a login code that it handed over, or the number of mails that it handed over. */
export type WorkerMessage = { readonly code: string } | { readonly mails: number };

/** A process that runs the jobs of the service on PostgreSQL. */
async function startWorker(schema: string, onMessage: (message: WorkerMessage) => void): Promise<() => Promise<void>> {
  const child = fork(new URL('./broadcasts-worker.ts', import.meta.url), [schema], { execArgv: ['--import', 'tsx'] });
  process.once('exit', () => child.kill());
  await once(child, 'message');
  child.on('message', onMessage);
  return async () => {
    child.send('stop');
    await once(child, 'exit');
  };
}

export type BroadcastsWorkload = Awaited<ReturnType<typeof openBroadcastsService>>;

/** A service with a list of `size` confirmed members and a draft that goes to it. */
export async function openBroadcastsService(kind: DatabaseKind, size: number) {
  const folder = mkdtempSync(join(dataFolder, 'broadcasts-'));
  const { storage, schema, drop, serverMs } = await storageOf(kind, folder);
  const mail = countingMail();
  const service = createBroadcastsService(storage, mail.adapter);
  let workerMails = 0;
  let onCode = (_email: string): void => undefined;
  let stopWorker = async (): Promise<void> => undefined;
  await service.migrate();
  const defaultFrom = { email: 'news@example.com', name: 'Bench' };
  const { id: workspaceId } = await service.workspaces.create({ name: 'Bench', plan: 'scale', defaultFrom });
  const calls = service.as(workspaceId);
  const database = await service.core.database();
  const { dialect } = database.adapter;
  const { prefix } = database;
  const run = (sql: string) =>
    database.driver.transact((connection) => connection.query({ sql, parameters: [] }), { longRunning: true });
  const migrations = service.core.registry.migrations.flatMap((owner) => owner.migrations);
  const fill = (table: string, rows: number, expressions: Readonly<Record<string, string>>) =>
    run(fillStatement(database, migrations, { table, rows, expressions }));

  await calls.brand.create({ name: 'Bench', postal_address: 'Bench Ltd' });
  const body = '<p>Hello {{name}}</p><a href="%unsubscribe_url%">Unsubscribe</a>';
  await calls.templates.create({ key: 'news', category: 'marketing', mode: 'html', subject: 'For {{name}}', body });
  const code = { mode: 'html', subject: 'Code {{code}}', body: '<p>{{code}}</p>', delivery: 'at-most-once' } as const;
  await calls.templates.create({ key: 'code', ...code });
  for (const key of ['news', 'code']) await calls.templates.publish({ key });
  const { listId } = await calls.lists.create({ name: 'Readers' });
  const { id: contactId } = await calls.contacts.upsert({ email: 'first@example.org', attributes: { name: 'Ada' } });
  await calls.lists.membersAdd({ listId, contactIds: [contactId] });
  await service.drain();
  const [before, between, after] = joinedColumns[dialect];
  const number = copyKey(dialect, 'numbers.n');
  // As long as real ids, because they are in several indexes.
  const key = `${before}'con_01ABCDEFGHJK'${between}${number}${after}`;
  const email = `${before}${number}${between}'@example.org'${after}`;
  await fill('contacts', size - 1, { id: key, external_id: key, email, address_as_given: 'null' });
  await fill('list_members', size - 1, { contact_id: key, list_id: 'source.list_id' });
  await run(`update ${prefix}list_counts set confirmed = ${size}`);
  if (dialect === 'postgres') for (const table of ['contacts', 'list_members']) await run(`analyze ${prefix}${table}`);

  const { broadcastId } = await calls.broadcasts.create({
    name: 'News',
    templateKey: 'news',
    variables: { name: '{{ contact.attributes.name }}' },
    audience: { include: [{ listId }] },
  });

  return {
    service,
    calls,
    /** The number of mails that were handed over. */
    mailCount: () => mail.count() + workerMails,
    /** Calls the listener with the recipient of each mail. If a separate process runs the jobs: only of each login code. */
    onMail(listener: (email: string) => void): void {
      onCode = listener;
      mail.onMail(({ to }) => listener(to.email));
    },
    /** Runs the jobs, in this process or in a separate one. */
    async start(isSeparate: boolean): Promise<void> {
      if (!isSeparate) return service.start();
      stopWorker = await startWorker(schema, (message) => {
        if ('code' in message) onCode(message.code);
        else workerMails = message.mails;
      });
    },
    broadcastId,
    size,
    /** Milliseconds of processor time that this process and PostgreSQL have taken. Processor time of MariaDB is not included. */
    async processorMs(): Promise<number> {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000 + (await serverMs());
    },
    /** Stores the audience, and pauses before the first mail. */
    async prepare(): Promise<void> {
      await calls.broadcasts.schedule({ broadcastId });
      await run(`update ${prefix}broadcasts set ceiling = 1`);
      await service.drain();
      const { status, pausedBy, counts } = await calls.broadcasts.read({ broadcastId });
      if (pausedBy !== 'ceiling' || counts.waiting !== size)
        throw new Error(`The broadcast is ${status}: ${JSON.stringify(counts)}`);
    },
    /** The same rows as one statement by hand. */
    async prepareByHand(): Promise<void> {
      const now = Date.now();
      const id = `${before}'brh_0123456789'${between}substr(c.id, 5)${after}`;
      await run(
        `insert into ${prefix}broadcast_recipients (id, workspace_id, sandbox, broadcast_id, contact_id, address, domain,
         basis, state, reason, holdout, variant, send_id, due_at, at, created_at)
         select ${id}, c.workspace_id, c.sandbox, 'brc_by_hand', c.id, c.email, ${domainOf[dialect]}, 'list', 'waiting', null,
         0, null, null, ${now}, ${now}, ${now}
         from ${prefix}list_members m join ${prefix}contacts c on c.id = m.contact_id
         where m.list_id = '${listId}' and m.status = 'confirmed' order by c.created_at, c.id`,
      );
    },
    resume: () => calls.broadcasts.resume({ broadcastId, ceiling: 2 * size }),
    pause: () => calls.broadcasts.pause({ broadcastId }),
    async close(): Promise<void> {
      await stopWorker();
      await service.stop();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
