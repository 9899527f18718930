// The service that sequences.ts measures: published sequences, contacts, and very many copies of waiting runs and list members.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { captureSms } from '../../adapters/sms/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { smsPlugin, standardPlugins } from '../../plugins/index.ts';
import { copyKey, fillStatement } from '../support/filled-tables.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { dataFolder } from './contestant-process.ts';

/** The bench writes its own rows. */
export const everywhere = unscoped('the bench writes its own rows');

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The standard plugins without the limit of SMS messages per recipient. */
const plugins = standardPlugins.map((plugin) =>
  plugin.id === 'sms' ? smsPlugin({ limits: { perRecipient: 100_000 } }) : plugin,
);

export type SequencesService = Awaited<ReturnType<typeof openSequencesService>>;

/** The modulus is a prime above the largest number of copies, so that multiplied numbers are scattered without repetition. */
const scatter = (number: string): string => `((${number}) * 2654435761) % 1000003`;

export async function openSequencesService(kind: 'sqlite' | 'postgres') {
  const folder = mkdtempSync(join(dataFolder, 'sequences-'));
  const schema = newSchema();
  const sms = captureSms();
  const service = createService({
    plugins,
    storage:
      kind === 'sqlite'
        ? sqliteStorage({ filename: join(folder, 'sequences.db') })
        : postgresStorage({ connectionString: postgresUrl, schema }),
    mail: captureMail(),
    sms,
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench, 32 bytes' }] }),
  });
  await service.migrate();
  const { id: workspaceId } = await service.workspaces.create({
    name: 'Bench',
    defaultFrom: { email: 'hello@example.com', name: 'Bench' },
  });
  const calls = service.as(workspaceId);
  const database = await service.core.database();
  const { ids } = service.core.ports;
  const sharedColumns = { workspace_id: workspaceId, sandbox: 0 } as const;
  const migrations = service.core.registry.migrations.flatMap((owner) => owner.migrations);
  const { dialect } = database.adapter;
  const run = (sql: string) =>
    database.driver.transact((connection) => connection.query({ sql, parameters: [] }), { longRunning: true });
  const fill = (tableName: string, rows: number, expressions: Readonly<Record<string, string>>, from = tableName) =>
    run(fillStatement(database, migrations, { table: tableName, rows, expressions, from }));
  const analyze = async (names: readonly string[]) => {
    if (dialect === 'postgres') for (const name of names) await run(`analyze ${database.prefix}${name}`);
  };
  /** Turns autovacuum off: it would clean up the hundredfold larger tables in the background during the measurement. */
  const withoutVacuum = async (names: readonly string[]) => {
    if (dialect !== 'postgres') return;
    for (const name of names) await run(`alter table ${database.prefix}${name} set (autovacuum_enabled = false)`);
  };

  async function contacts(count: number): Promise<string[]> {
    const contactIds = Array.from({ length: count }, () => ids.create('con'));
    await database.transact(async (scope) => {
      const { db } = scope.handle(everywhere);
      for (let from = 0; from < count; from += 500)
        await db
          .insertInto('contacts')
          .values(
            contactIds.slice(from, from + 500).map((id) => ({
              ...sharedColumns,
              id,
              external_id: id,
              email: `${id.toLowerCase()}@example.org`,
              address_as_given: null,
              attributes: '{}',
              created_at: 1,
              updated_at: 1,
            })),
          )
          .execute();
    });
    return contactIds;
  }

  return {
    service,
    calls,
    sms,
    database,
    ids,
    shared: sharedColumns,
    workspaceId,
    contacts,
    async published(body: Parameters<typeof calls.sequences.create>[0]): Promise<string> {
      const { key } = await calls.sequences.create(body);
      await calls.sequences.publish({ keyOrId: key });
      return key;
    },
    async enrolAll(keyOrId: string, contactIds: readonly string[]): Promise<void> {
      for (const id of contactIds) await calls.sequences.enroll({ keyOrId, contact: { id } });
    },
    /** Copies the waiting runs, with their waits and timeout jobs, from `filled` to `size` of them. */
    async fillWaiting(filled: number, size: number): Promise<void> {
      const number = `numbers.n + ${filled}`;
      const [id, contact] = [copyKey(dialect, number), copyKey(dialect, scatter(number))];
      const rows = size - filled;
      const names = ['sequence_runs', 'sequence_waits', 'jobs'];
      await withoutVacuum(names);
      await fill('sequence_runs', rows, { id, contact_id: contact, started_at: 'source.started_at' });
      await fill('sequence_waits', rows, {
        contact_id: contact,
        run_id: id,
        event_type: 'source.event_type',
      });
      await fill('jobs', rows, {
        id,
        waiting_key: id,
        kind: "'sequences.step'",
        state: "'waiting'",
        run_at: `${Date.now() + 30 * 86_400_000} + numbers.n`,
        lease_until: 'null',
        lease_token: 'null',
        finished_at: 'null',
      });
      await analyze(names);
    },
    /** Creates a list with `count` confirmed members. Returns its id. */
    async longList(count: number): Promise<string> {
      const { listId } = await calls.lists.create({ name: 'Long' });
      const [one = ''] = await contacts(1);
      await calls.lists.membersAdd({ listId, contactIds: [one] });
      await service.drain();
      const key = copyKey(dialect, 'numbers.n');
      await fill('contacts', count, { id: key, external_id: key, email: 'null' });
      await fill('list_members', count, { contact_id: key, list_id: 'source.list_id' });
      await analyze(['contacts', 'list_members']);
      return listId;
    },
    async close(): Promise<void> {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
      if (kind === 'postgres') await dropSchema(schema);
    },
  };
}
