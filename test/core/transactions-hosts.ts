// Programs that embed the service, one for each kind of transaction handle, with their own table and a test service. Used by
// transactions-*.test.ts. Everything is real except the clock.
import { localKeyring } from '../../adapters/keyring/local.ts';
import type { SqlResult, StorageAdapter } from '../../core/contract/ports/storage.ts';
import { createService, type Service } from '../../core/kernel/compose.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import { createTestService, type TestService, type TestServiceOptions } from '../../hosts/testing/test-service.ts';
import {
  auditPlugin,
  emailPlugin,
  keysPlugin,
  suppressionsPlugin,
  templatesPlugin,
  workspacePlugin,
} from '../../plugins/index.ts';
import type { HostDatabase, HostKind } from './transactions-host-kinds.ts';
import { type LedgerHooks, ledgerPlugin } from './transactions-ledger.ts';

export type { HostDatabase, HostKind } from './transactions-host-kinds.ts';
export { hostKinds } from './transactions-host-kinds.ts';

/** The plugins of these programs. Each test creates new tables. */
const usedPlugins = [
  workspacePlugin(),
  keysPlugin(),
  auditPlugin(),
  suppressionsPlugin(),
  templatesPlugin({ starters: false }),
  emailPlugin(),
] as const;

type Ids = (typeof usedPlugins)[number]['id'] | 'ledger';

/** A program with a service and seeded rows. */
export interface HostProgram extends HostDatabase {
  readonly test: TestService<Ids>;
  readonly service: TestService<Ids>['service'];
  /** Calls in the workspace under test. */
  readonly calls: ReturnType<TestService<Ids>['service']['as']>;
  /** Another process of the service, on another adapter for the same database. The caller must stop it. */
  startOtherProcess(
    storage: StorageAdapter,
    options?: { readonly hooks?: Partial<LedgerHooks> } & OtherProcessOptions,
  ): Service<Ids>;
  /** Queries committed rows in the database. */
  ask(sql: string): Promise<SqlResult['rows']>;
  /** The committed rows: the orders of the program, and the names of the entries */
  committed(): Promise<{ readonly orders: readonly string[]; readonly entries: readonly string[] }>;
  /** The number of the service's rows apart from provisioning: audit, jobs, events and records */
  countServiceRows(): Promise<number>;
}

type OtherProcessOptions = Pick<ServiceOptions<Ids>, 'settings'>;

/** The key of the template that `email.send` uses in these tests. Its only variable is `name`. */
export const templateKey = 'of-the-host';

const keyring = localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] });
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const traceTables = ['audit', 'jobs', 'outbox', 'idempotency', 'sends', 'send_events', 'budgets', 'ledger_entries'];

/** Options of a test. */
export interface HostOptions extends Partial<Omit<TestServiceOptions<Ids>, 'plugins' | 'storage'>> {
  readonly hooks?: Partial<LedgerHooks>;
  /** Wraps the service's storage. */
  readonly wrap?: (storage: StorageAdapter) => StorageAdapter;
}

/** Runs `work` with a program of the kind, and removes everything afterwards. */
export async function withHost(
  kind: HostKind,
  work: (host: HostProgram) => Promise<void>,
  options: HostOptions = {},
): Promise<void> {
  const database = await kind.open();
  const { hooks, wrap = (storage) => storage, ...rest } = options;
  const test = await createTestService<Ids>({
    storage: wrap(database.storage),
    keyring,
    logger: silent,
    ...rest,
    plugins: [...usedPlugins, ledgerPlugin(hooks)],
  });
  const outsider = await database.createOutsider().open();
  const ask: HostProgram['ask'] = (sql) =>
    outsider.read(async (connection) => (await connection.query({ sql, parameters: [] })).rows);
  const countTraces = async (): Promise<number> => {
    const counts = traceTables.map((table) => `(select count(*) from postrider_${table})`);
    const [row] = await ask(`select ${counts.join(' + ')} as traces`);
    return Number(row?.traces);
  };
  try {
    await database.createOrders();
    const calls = test.service.as(test.workspaceId, { actor: 'host' });
    await calls.templates.create({ key: templateKey, mode: 'html', subject: 'For {{name}}', body: '<p>{{name}}</p>' });
    await calls.templates.publish({ key: templateKey });
    const before = await countTraces();
    await work({
      ...database,
      test,
      service: test.service,
      calls,
      startOtherProcess: (storage, { hooks: others, ...options } = {}) =>
        createService<Ids>({
          storage,
          keyring,
          logger: silent,
          mail: test.mail,
          clock: { now: test.now },
          ...options,
          plugins: [...usedPlugins, ledgerPlugin(others)],
        }),
      ask,
      async committed() {
        const orders = await ask('select order_id from host_orders order by order_id');
        const entries = await ask('select name from postrider_ledger_entries order by name');
        return { orders: orders.map((row) => String(row.order_id)), entries: entries.map((row) => String(row.name)) };
      },
      countServiceRows: async () => (await countTraces()) - before,
    });
  } finally {
    await outsider.close();
    await test.close();
    await database.close();
  }
}
