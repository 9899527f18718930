// A whole service for a test: in memory, with captured mail and webhooks, a simulated clock, and keys. For tests of plugins and
// of embedding programs. Only the time is simulated.

import { captureAssets } from '../../adapters/assets/capture.ts';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { type CaptureMail, captureMail } from '../../adapters/mail/capture.ts';
import { type CaptureSms, captureSms } from '../../adapters/sms/capture.ts';
import type { Plugin } from '../../core/contract/declaration/plugin.ts';
import type { PortOptions } from '../../core/contract/declaration/port.ts';
import { loadOptional } from '../../core/contract/errors/missing-package.ts';
import type { EventMap } from '../../core/contract/open.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { insertMissingSlots } from '../../core/jobs/schedule.ts';
import { createService, type Service, type ServiceOf } from '../../core/kernel/compose.ts';
import { type CoreOptions, type ServiceOptions, stderrLogger } from '../../core/kernel/options.ts';
import type { NewKeyFields, NewKeyScopes } from '../../core/kernel/provisioning.ts';
import { undeclared } from '../../core/pipeline/undeclared.ts';
import type { CapturedMail } from '../../plugins/email/port/index.ts';
import type { CapturedSms } from '../../plugins/sms/port/index.ts';
import { bodyBytes } from './body-bytes.ts';
import { type CaptureWebhooks, captureWebhooks } from './capture-webhooks.ts';
import { createSimulatedClock } from './simulated-clock.ts';
import { subscribeToAllEvents } from './subscribe-to-all-events.ts';
import { watchUndeclared } from './undeclared-watch.ts';

/**
 * The plugins, their ports, and any option of the service that should differ. If `outgoing` is given, even as `{}`, webhooks are
 * posted and not captured.
 */
export type TestServiceOptions<Ids extends string> = Partial<Omit<CoreOptions, 'clock'>> &
  PortOptions<Ids> & {
    readonly plugins: readonly Plugin<Ids>[];
    /** The start of the clock, in milliseconds since the epoch. (Default: 2026-01-01T00:00:00Z) */
    readonly startAt?: number;
  };

/** One request of a test. */
export interface TestRequest {
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  /** Header names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result of JSON.parse. A test reads the path that it expects. */
export type ParsedJson = ReturnType<typeof JSON.parse>;

/** A parsed response. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the response is empty or not JSON. */
  readonly body: ParsedJson;
  readonly bytes: Buffer;
  /** The logged cause of an `internal_error`: the error with its stack, which callers do not see. */
  readonly cause?: string;
}

/** A service under test. */
export interface TestService<Ids extends string> {
  readonly service: ServiceOf<Ids>;
  /** A workspace on the pro plan with the sending domain example.com, and another workspace for tests of isolation. */
  readonly workspaceId: string;
  readonly foreignWorkspaceId: string;
  readonly mail: CaptureMail;
  /** The webhook deliveries, which are not posted unless the option `outgoing` is given. */
  readonly webhooks: CaptureWebhooks;
  /** Sends from the US number +12025550100. */
  readonly sms: CaptureSms;
  /** A live key with every scope. Every key acts for the member u_ada. */
  readonly liveKey: string;
  /** A sandbox key with every scope. */
  readonly testKey: string;
  /** Issues a key with exactly these scopes and returns its secret. (Default: a live key) */
  keyWith(scopes: readonly string[], options?: Partial<NewKeyFields>): Promise<string>;
  /**
   * A REST request; `path` starts with /v1. Uses the live key unless another key is given ('' sends none).
   * @throws Error if a handler emitted an event or enqueued a job that no plugin declares; callers would only see a 500
   */
  request(path: string, request?: TestRequest): Promise<TestResponse>;
  /**
   * Runs every job and schedule that is due since the start of the clock. @throws Error if one of them emitted an undeclared
   * event or enqueued an undeclared job
   */
  drain(): Promise<void>;
  advanceClock(milliseconds: number): void;
  now(): number;
  lastMailTo(email: string): CapturedMail | undefined;
  lastSmsTo(number: string): CapturedSms | undefined;
  /**
   * The `data` of all events of this type that the workspace under test has emitted, oldest first.
   * @throws Error for an undeclared type
   */
  events<T extends keyof EventMap & string>(type: T): Promise<EventMap[T][]>;
  close(): Promise<void>;
}

/** A service under test with any plugins: without the typed calls. */
export interface AnyTestService extends Omit<TestService<never>, 'service'> {
  readonly service: Omit<Service, 'as'>;
}

/** The member for whom the keys act in every workspace. */
const tester = { uid: 'u_ada', name: 'Ada Lovelace', email: 'ada@northwind.example', role: 'owner' };

const parse = (bytes: Buffer, type = ''): unknown =>
  bytes.length > 0 && /^application\/(\S+\+)?json\b/.test(type) ? JSON.parse(bytes.toString('utf8')) : undefined;

/** The headers as hosts pass them. */
const inLowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A database in memory. @throws Error if its package is not installed */
async function memoryStorage(): Promise<StorageAdapter> {
  const missing = (cause: unknown) =>
    new Error(
      'createTestService keeps its database in memory by the package better-sqlite3, which is not installed: npm install --save-dev better-sqlite3. Or give it another one: createTestService({ plugins, storage })',
      { cause },
    );
  const { sqliteStorage } = await loadOptional(() => import('../../adapters/storage/sqlite.ts'), missing);
  return sqliteStorage({ filename: ':memory:' });
}

/**
 * Composes, migrates and seeds a service. Close it at the end of the test.
 * @throws Error without a `storage` if better-sqlite3 is not installed
 */
export async function createTestService<const Ids extends string>(
  options: TestServiceOptions<Ids>,
): Promise<TestService<Ids>> {
  const { startAt, plugins } = options;
  const { startAt: _, plugins: __, logger = stderrLogger, ...rest } = options as TestServiceOptions<never>;
  const declaresPort = (port: string): boolean => plugins.some(({ ports }) => Object.hasOwn(ports, port));
  const clock = createSimulatedClock(startAt);
  const startedAt = clock.now();
  let drained = false;
  const watch = watchUndeclared(logger);
  const mail = captureMail();
  const webhooks = captureWebhooks();
  const sms = captureSms({ now: () => new Date(clock.now()) });
  const defaults: CoreOptions = {
    storage: rest.storage ?? (await memoryStorage()),
    keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
    environment: 'development',
    members: { list: async () => [tester] },
    outgoing: webhooks.outgoing,
    // The request log would write rows that no test expects.
    requestLog: false,
    ...rest,
    logger: watch.logger,
    clock,
  };
  // The ports depend on the plugins; createService checks them.
  const capturingPorts = {
    ...(declaresPort('mail') ? { mail } : {}),
    ...(declaresPort('sms') ? { sms } : {}),
    ...(declaresPort('assets') ? { assets: captureAssets({ now: () => clock.now() }) } : {}),
  };
  const service = createService({ ...capturingPorts, ...defaults, plugins } as ServiceOptions<Ids>);
  await service.migrate();
  const newWorkspace = (name: string) =>
    service.workspaces.create({
      name,
      plan: 'pro',
      defaultFrom: { email: 'hello@example.com', name: 'Example' },
      sendingDomains: ['example.com'],
      credits: 1_000,
    });
  const workspace = await newWorkspace('Under test');
  const foreign = await newWorkspace('Foreign');
  await subscribeToAllEvents(service, workspace.id);
  const issue = async (key: NewKeyScopes & Partial<NewKeyFields>): Promise<string> =>
    (
      await service.keys.create({
        workspaceId: workspace.id,
        name: key.mode === 'test' ? 'Staging' : 'Backend',
        members: [tester.uid],
        ...key,
      })
    ).secret;
  const liveKey = await issue({ preset: 'full' });
  const testKey = await issue({ preset: 'full', mode: 'test' });

  return {
    service,
    workspaceId: workspace.id,
    foreignWorkspaceId: foreign.id,
    mail,
    webhooks,
    sms,
    liveKey,
    testKey,
    keyWith: (scopes, key = {}) => issue({ ...key, scopes }),
    async request(path, { method, key = liveKey, body: sent, headers = {} } = {}) {
      const response = await service.dispatch({
        method: method ?? (sent === undefined ? 'GET' : 'POST'),
        url: path,
        headers: {
          ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...inLowerCase(headers),
        },
        body: sent === undefined ? undefined : typeof sent === 'string' ? sent : JSON.stringify(sent),
        address: '127.0.0.1',
      });
      watch.throwSeen();
      const { status, headers: answered } = response;
      const bytes = await bodyBytes(response.body);
      const body = parse(bytes, answered['Content-Type']);
      const cause = status < 500 ? undefined : watch.takeCause(answered['X-Request-Id']);
      return { status, headers: answered, body, bytes, ...(cause === undefined ? {} : { cause }) };
    },
    async drain() {
      // A new schedule first runs at the first slot after the start of the clock, even if the clock has advanced since.
      if (!drained && clock.now() > startedAt)
        await insertMissingSlots({ core: service.core, database: await service.core.database() }, startedAt);
      drained = true;
      await service.drain();
      watch.throwSeen();
    },
    advanceClock: (milliseconds) => void clock.advance(milliseconds),
    now: () => clock.now(),
    lastMailTo: (email) => mail.lastTo(email),
    lastSmsTo: (number) => sms.lastTo(number),
    async events<T extends keyof EventMap & string>(type: T): Promise<EventMap[T][]> {
      const database = await service.core.database();
      const rows = await database.read(workspace.id, ({ db }) =>
        db.selectFrom('outbox').select('data').where('type', '=', type).orderBy('created_at').orderBy('id').execute(),
      );
      const declared = service.core.registry.events;
      if (rows.length === 0 && !declared.has(type)) throw undeclared('event', type, declared.keys());
      return rows.map(({ data }) => JSON.parse(data) as EventMap[T]);
    },
    close: () => service.stop(),
  };
}
