// time-limit: 180
// Transactions that the database itself ends: a COMMIT that fails, or a connection that closes in the middle. No partial write remains,
// the caller gets a correct result, and a retry with the same key has exactly one effect.
// full-run: slow
import BetterSqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { mysqlUrlOf, queryOnOtherMysqlConnection } from '../support/mysql-server.ts';
import { postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';
import {
  type HostDatabase,
  type HostKind,
  type HostProgram,
  hostKinds,
  templateKey,
  withHost,
} from './transactions-hosts.ts';

/** Makes every COMMIT fail that contains a row of `table`. Returns a function that stops this. */
type FailCommits = (table: string) => Promise<() => Promise<void>>;

/** A constraint that is checked at COMMIT and that no row satisfies. */
async function failPostgresCommits(schema: string, table: string): Promise<() => Promise<void>> {
  const name = `${schema}.no_commit`;
  await queryOnOwnConnection(`create function ${name}() returns trigger language plpgsql as
    $$ begin raise exception 'no commit' using errcode = 'integrity_constraint_violation'; end $$`);
  await queryOnOwnConnection(`create constraint trigger no_commit after insert on ${schema}.${table}
    deferrable initially deferred for each row execute function ${name}()`);
  return async () => void (await queryOnOwnConnection(`drop function ${name}() cascade`));
}

async function failSqliteCommits(filename: string, table: string): Promise<() => Promise<void>> {
  const runSql = (sql: string): void => void new BetterSqlite(filename).exec(sql).close();
  runSql(`create table no_commit_parents (id text primary key);
    create table no_commits (id text references no_commit_parents (id) deferrable initially deferred);
    create trigger no_commit after insert on ${table} begin insert into no_commits values (new.id); end`);
  return async () => runSql('drop trigger no_commit; drop table no_commits; drop table no_commit_parents');
}

function failCommitsOf({ location }: HostDatabase): FailCommits {
  if (location.dialect === 'sqlite') return (table) => failSqliteCommits(location.filename, table);
  if (location.dialect === 'postgres') return (table) => failPostgresCommits(location.schema, table);
  throw new Error('MySQL checks nothing at the COMMIT.');
}

const bodyOf = (key: string) => ({ to: `${key}@example.net`, variables: { name: 'Ada' } });

const send = (host: HostProgram, key: string): Promise<TestResponse> =>
  host.test.request(`/v1/templates/${templateKey}/send`, {
    body: bodyOf(key),
    headers: { 'idempotency-key': key },
  });

/** The storage of the service through a lossy proxy, and the server URL to which the proxy forwards */
function serverOf({ location }: HostDatabase): {
  url: string;
  storageThrough(cable: LossyProxy): StorageAdapter;
} {
  if (location.dialect === 'postgres') {
    const { schema } = location;
    return { url: postgresUrl, storageThrough: ({ url }) => postgresStorage({ connectionString: url, schema }) };
  }
  if (location.dialect === 'mysql') {
    return { url: mysqlUrlOf(location.database), storageThrough: ({ url }) => mysqlStorage({ uri: url }) };
  }
  throw new Error('SQLite has no server.');
}

const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
const statuses = (responses: readonly TestResponse[]): string[] => [
  ...new Set(responses.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim())),
];

function registerFailedCommits(kind: HostKind): void {
  const test = suite(`a COMMIT that fails: ${kind.name} (${kind.dialect})`);

  test("if a COMMIT fails, nothing of the service's calls remains, and their retries succeed", () =>
    withHost(kind, async (host) => {
      const repair = await failCommitsOf(host)('postrider_sends');
      const failures = await Promise.all(keys.map((key) => send(host, key)));
      assert.equal(statuses(failures), ['500 internal_error']);
      assert.is(await host.countServiceRows(), 0);
      await host.test.drain();
      assert.equal(host.test.mail.messages(), []);
      await repair();
      const retries = await Promise.all(keys.map((key) => send(host, key)));
      assert.equal(statuses(retries), ['202']);
      assert.ok(retries.every(({ headers }) => headers['Idempotent-Replay'] === undefined));
      await host.test.drain();
      assert.is(host.test.mail.messages().length, keys.length);
    }));

  test("if a COMMIT fails, nothing of the program's transaction and of the calls in it remains", () =>
    withHost(kind, async (host) => {
      const repair = await failCommitsOf(host)('postrider_ledger_entries');
      const failing = host.transaction(async ({ handle, insertOrder }) => {
        await insertOrder('o1');
        await host.calls.ledger.add({ name: 'e1' }, { trx: handle, idempotencyKey: 'k1' });
      });
      assert.match(await failing.then(String, String), /no commit|FOREIGN KEY/);
      assert.equal(await host.committed(), { orders: [], entries: [] });
      assert.is(await host.countServiceRows(), 0);
      await repair();
      await host.transaction(({ handle }) =>
        host.calls.ledger.add({ name: 'e1' }, { trx: handle, idempotencyKey: 'k1' }),
      );
      assert.equal(await host.committed(), { orders: [], entries: ['e1'] });
    }));

  test.run();
}

/**
 * A point at which the service loses its connection: a part of the statement, with SCHEMA for the name of the schema, and whether its effect may be
 * stored
 */
interface Cut {
  readonly at: string;
  readonly mayBeStored: boolean;
  /** The idempotency keys of sends that the service accepts first */
  readonly after?: readonly string[];
}

const cuts = {
  postgres: [
    { at: 'from "SCHEMA"."postrider_api_keys"', mayBeStored: false },
    { at: 'pg_try_advisory_xact_lock', mayBeStored: false },
    { at: 'from "SCHEMA"."postrider_idempotency"', mayBeStored: false },
    { at: 'from "SCHEMA"."postrider_templates"', mayBeStored: false },
    { at: 'insert into "SCHEMA"."postrider_sends"', mayBeStored: true },
    // This comes after a send of this service, because the first send also commits its lease on the budget.
    { at: 'COMMIT\0', mayBeStored: true, after: ['k0'] },
  ],
  mysql: [
    { at: 'start transaction', mayBeStored: false },
    { at: 'get_lock', mayBeStored: false },
    { at: 'from `postrider_idempotency`', mayBeStored: false },
    // The last writes are sent in one text with the COMMIT.
    { at: 'insert into `postrider_sends`', mayBeStored: true },
  ],
} satisfies Record<string, readonly Cut[]>;

/** Closes the connection that has uncommitted entries. */
async function closeWritersConnection({ location }: HostProgram): Promise<void> {
  if (location.dialect === 'postgres') await closePostgresWriter(location.schema);
  else if (location.dialect === 'mysql') await closeMysqlWriter(location.database);
}

async function closeMysqlWriter(database: string): Promise<void> {
  const rows = await queryOnOtherMysqlConnection(
    `select p.id from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id
      where p.db = ? and t.trx_rows_modified > 0`,
    [database],
  );
  assert.is(rows.length, 1);
  await queryOnOtherMysqlConnection('kill ?', [Number(rows[0]?.['id'])]);
}

async function closePostgresWriter(schema: string): Promise<void> {
  const writers = `select l.pid from pg_locks l join pg_class c on c.oid = l.relation
    where c.relnamespace = $1::regnamespace and c.relname = 'postrider_ledger_entries' and l.mode = 'RowExclusiveLock'`;
  const { rows } = await queryOnOwnConnection(`select pg_terminate_backend(pid) as ended from (${writers}) writers`, [
    schema,
  ]);
  assert.equal(
    rows.map(({ ended }) => ended),
    [true],
  );
}

/** Runs a program whose `ledger.linger` loses its connection between its two writes, until `repair` is called. */
function withLosses(kind: HostKind, work: (host: HostProgram, repair: () => void) => Promise<void>): Promise<void> {
  let lose: (() => Promise<void>) | undefined;
  const hold = async () => lose?.();
  return withHost(
    kind,
    async (host) => {
      lose = () => closeWritersConnection(host);
      await work(host, () => {
        lose = undefined;
      });
    },
    { hooks: { hold } },
  );
}

function registerClosedConnections(kind: HostKind): void {
  const test = suite(`a connection that the server closes: ${kind.name}`);

  test('a closed connection ends a request with 503 and no partial write', () =>
    withLosses(kind, async (host, repair) => {
      const post = () =>
        host.test.request('/v1/ledger/linger', { body: { name: 'e' }, headers: { 'idempotency-key': 'k1' } });
      const answer = await post();
      assert.equal([answer.status, answer.body.error.code], [503, 'service_unavailable']);
      assert.is(answer.headers['Retry-After'], '1');
      assert.is(await host.countServiceRows(), 0);
      repair();
      assert.is((await post()).status, 200);
      assert.equal((await host.committed()).entries, ['e after', 'e before']);
    }));

  test("if a connection closes, the program's transaction and the calls in it fail together", () =>
    withLosses(kind, async (host, repair) => {
      let code = '';
      const failing = host.transaction(async ({ handle, insertOrder }) => {
        await insertOrder('o1');
        await host.calls.ledger.linger({ name: 'e' }, { trx: handle }).catch((error: unknown) => {
          code = isPostriderError(error) ? error.code : String(error);
        });
        await insertOrder('o2');
      });
      assert.match(await failing.then(String, String), /Error/);
      assert.is(code, 'service_unavailable');
      assert.equal(await host.committed(), { orders: [], entries: [] });
      repair();
      await host.transaction(({ handle }) => host.calls.ledger.linger({ name: 'e' }, { trx: handle }));
      assert.equal((await host.committed()).entries, ['e after', 'e before']);
    }));

  test.run();
}

function registerLostAnswers(kind: HostKind, dialect: keyof typeof cuts): void {
  const test = suite(`a lost answer of the server: ${kind.name}`);

  test('if a response of the server is lost, a call in process fails with service_unavailable', () =>
    withHost(kind, async (host) => {
      const { url, storageThrough } = serverOf(host);
      const cable = await startLossyProxy(url);
      const service = host.startOtherProcess(storageThrough(cable));
      try {
        await service.core.database();
        cable.loseResponseTo('postrider_workspaces', 'cut');
        const failure = await service
          .as(host.test.workspaceId)
          .ledger.add({ name: 'e' })
          .catch((error: unknown) => error);
        assert.ok(isPostriderError(failure, 'service_unavailable'), String(failure));
        assert.is(await host.countServiceRows(), 0);
      } finally {
        await service.stop();
        await cable.close();
      }
    }));

  for (const { at, mayBeStored, after = [] } of cuts[dialect] as readonly Cut[]) {
    test(`exactly one send is made if the response to ${JSON.stringify(at)} is lost`, () =>
      withHost(kind, async (host) => {
        const { url, storageThrough } = serverOf(host);
        const cable = await startLossyProxy(url);
        try {
          const service = host.startOtherProcess(storageThrough(cable));
          await service.core.database();
          const post = (key: string) =>
            service.dispatch({
              method: 'POST',
              url: `/v1/templates/${templateKey}/send`,
              headers: {
                authorization: `Bearer ${host.test.liveKey}`,
                'content-type': 'application/json',
                'idempotency-key': key,
              },
              body: JSON.stringify(bodyOf(key)),
            });
          for (const key of after) assert.is((await post(key)).status, 202);
          const schema = host.location.dialect === 'postgres' ? host.location.schema : '';
          cable.loseResponseTo(at.replace('SCHEMA', schema), 'cut');
          const firstAnswer = await post('k1');
          assert.is(firstAnswer.status, 503, String(firstAnswer.body));
          assert.match(String(firstAnswer.body), /service_unavailable/);
          await service.stop();
          if (!mayBeStored) assert.is(await host.countServiceRows(), 0);
          let retry = await send(host, 'k1');
          // The server may still be processing the COMMIT whose response was lost.
          while (retry.status === 409) retry = await send(host, 'k1');
          assert.is(retry.status, 202);
          if (!mayBeStored) assert.is(retry.headers['Idempotent-Replay'], undefined);
          const [counts] = await host.ask(
            'select (select count(*) from postrider_sends) as sends, (select count(*) from postrider_jobs) as jobs',
          );
          assert.equal([Number(counts?.sends), Number(counts?.jobs)], [1 + after.length, 1 + after.length]);
        } finally {
          await cable.close();
        }
      }));
  }

  test.run();
}

const kinds = await hostKinds();
for (const kind of kinds.filter(({ dialect }) => dialect !== 'mysql')) registerFailedCommits(kind);
for (const kind of kinds.filter(({ dialect }) => dialect !== 'sqlite')) registerClosedConnections(kind);
for (const kind of kinds) {
  if (kind.name === 'a pg client of a pool of one') registerLostAnswers(kind, 'postgres');
  if (kind.name === 'a mysql2 connection of a pool of one') registerLostAnswers(kind, 'mysql');
}
