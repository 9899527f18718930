// The options of createService and their defaults. Nothing here does I/O.
import type { KyselyPlugin } from 'kysely';
import type { Plugin } from '../contract/declaration/plugin.ts';
import type { PortOptions } from '../contract/declaration/port.ts';
import type { RetentionSetting } from '../contract/declaration/retention.ts';
import type { AccessFunction } from '../contract/ports/access.ts';
import type { KeyringAdapter } from '../contract/ports/keyring.ts';
import type { LimitStore, LimitStoreFactory } from '../contract/ports/limits.ts';
import type { Clock, Logger, Member, MembersPort, PhaseListener, Randomness } from '../contract/ports/platform.ts';
import type { JobQueue } from '../contract/ports/queue.ts';
import type { StorageAdapter } from '../contract/ports/storage.ts';
import type { OutgoingOptions } from '../outgoing/index.ts';
import type { PlanOverrides } from '../pipeline/plans.ts';
import type { CorsOptions } from '../projections/cors.ts';
import type { MetricsAccess } from '../projections/observation-routes.ts';

/** Options of the core. Only `storage` is required. */
export interface CoreOptions {
  /** The database. */
  readonly storage: StorageAdapter;
  /** The brand. Key prefixes and header names are made from it. 1 to 20 letters or digits. (Default: Postrider) */
  readonly name?: string;
  /** (Default: production if NODE_ENV is production, else development) */
  readonly environment?: 'development' | 'production';
  /** Encrypts secrets. (Default: a key file in development; production refuses to start without one) */
  readonly keyring?: KeyringAdapter;
  /** Counters of the rate limits: memory, `redisLimits(…)`, or `sqlLimits()`. (Default: this process's memory) */
  readonly limits?: LimitStore | LimitStoreFactory;
  /** An external queue that carries references to jobs, such as `sqsQueue(…)`. (Default: the database is the queue) */
  readonly queue?: JobQueue;
  /** The people of a workspace. (Default: none) */
  readonly members?: MembersPort | Readonly<Record<string, readonly Member[]>>;
  /**
   * Returns the person who is signed in to the program. Used by pages for the program's people, and by pages on which
   * members authorise agents. Called for every request of such a page. (Default: no person is signed in; in
   * development, these pages then answer requests from this machine)
   */
  readonly access?: AccessFunction;
  /**
   * Whether a request from a private network counts as one from this machine, in development without `access`. A container sees
   * its host under a private address, but also all other machines of that network. (Default: false)
   */
  readonly privateNetworks?: boolean;
  /**
   * Limits of the standard plans that differ from their defaults, and plans of your own, which name their tier:
   * `{ hobby: { monthlyCredits: 500 }, team: { tier: 2, monthlyCredits: 20_000 } }`. (Default: the standard plans)
   */
  readonly plans?: PlanOverrides;
  /**
   * How long rows are kept, by the names that docs/retention.md lists: `{ audit: '365 days', send_contents: '1 day' }`.
   * `forever` keeps them. (Default: the time that their plugin declares)
   */
  readonly retention?: Readonly<Record<string, RetentionSetting>>;
  /** `public`: whether GET /v1/openapi.json and /v1/asyncapi.json need no key. (Default: false) */
  readonly openapi?: { readonly public?: boolean };
  /**
   * `origins`: web pages, such as https://app.example.com, that may read the API (GET and HEAD below /v1) from a browser, with
   * a key of their own. Nothing else is allowed. (Default: none)
   */
  readonly cors?: CorsOptions;
  /** Requests to URLs that users supplied, such as webhooks. */
  readonly outgoing?: Omit<OutgoingOptions, 'environment'>;
  /** A pino-shaped logger. (Default: warnings and errors as JSON lines on stderr) */
  readonly logger?: Logger;
  /**
   * Serves this process's metrics at GET /metrics in Prometheus's text format. `token`: the bearer token that the
   * request must carry; `guard`: your own decision. (Default: no route)
   */
  readonly metrics?: MetricsAccess;
  /**
   * Whether requests with a key are logged for GET /v1/requests, without their contents: in batches, outside of the requests.
   * (Default: true; false on AWS Lambda, where each invocation would write its own batch)
   */
  readonly requestLog?: boolean;
  /** The public URL of the mounted service, such as https://app.example.com/messaging. (Default: none) */
  readonly publicUrl?: string;
  /**
   * Begins the name of every table: letters, digits and underscores, no digit first, 21 at most. (Default: postrider_)
   */
  readonly tablePrefix?: string;
  readonly settings?: {
    /** The limit of a request body in bytes. (Default: 15 MiB) */
    readonly maxBodyBytes?: number;
    /** Whether requests pass while the limit store is down. (Default: allow) */
    readonly onStoreFailure?: 'allow' | 'deny';
    /**
     * Origins of web pages, such as https://app.example.com, that may call the MCP endpoint in addition to publicUrl's origin.
     * (Default: none)
     */
    readonly toolOrigins?: readonly string[];
    /** Jobs that run at the same time in this process. (Default: 10) */
    readonly jobConcurrency?: number;
    /** Outbound jobs, such as webhook deliveries, that run at the same time in this process. (Default: 500) */
    readonly outboundConcurrency?: number;
    /**
     * Whether the commit that ends a job always waits for the disk. If false, a power failure may make a process repeat its last 100
     * messages, if they are of a kind that is sent at least once. If only the process ends, it does not repeat any of them. (Default:
     * false)
     */
    readonly durableJobEnds?: boolean;
    /** The lease of a claimed job, in milliseconds. After it, other processes may claim the job. (Default: 60,000) */
    readonly jobLeaseMs?: number;
    /** How often the queue is polled without a signal, in milliseconds. (Default: 1,000) */
    readonly jobPollMs?: number;
    /**
     * A job in the external queue that has not run this long after its due time counts as lost, and its reference is
     * sent again. In milliseconds. (Default: 900,000)
     */
    readonly queueLostAfterMs?: number;
    /** How long each plugin may take to start, to flush and to stop, in milliseconds. (Default: 10,000) */
    readonly pluginStepMs?: number;
  };
  /** Simulated in tests. (Default: the system's clock) */
  readonly clock?: Clock;
  /** Seeded in tests. (Default: node:crypto) */
  readonly randomness?: Randomness;
  /** Called at every phase boundary; for fault tests. (Default: none) */
  readonly onPhase?: PhaseListener;
  /** Kysely plugins over every statement; for the tests' tenancy check. (Default: none) */
  readonly queryPlugins?: readonly KyselyPlugin[];
}

/** Options of a service: the options of the core, its plugins, and one option for each port of these plugins, such as `mail`. */
export type ServiceOptions<Ids extends string> = CoreOptions & {
  /** The feature areas, such as `standardPlugins`. */
  readonly plugins: readonly Plugin<Ids>[];
} & PortOptions<Ids>;

/** The names of all options except those of ports. */
export const optionNames = {
  storage: true,
  plugins: true,
  name: true,
  environment: true,
  keyring: true,
  limits: true,
  queue: true,
  members: true,
  access: true,
  privateNetworks: true,
  plans: true,
  retention: true,
  openapi: true,
  cors: true,
  outgoing: true,
  logger: true,
  metrics: true,
  requestLog: true,
  publicUrl: true,
  tablePrefix: true,
  settings: true,
  clock: true,
  randomness: true,
  onPhase: true,
  queryPlugins: true,
} satisfies Record<keyof CoreOptions | 'plugins', true>;

/** `Acme Mail` → `acmemail`: the slug in key prefixes. */
export function slugOf(name: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (slug.length < 1 || slug.length > 20)
    throw new Error(`The service's name ${JSON.stringify(name)} must have 1 to 20 letters or digits.`);
  return slug;
}

/** A logger that writes warnings and errors as JSON lines on stderr. */
export const stderrLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
};

function writeLine(level: string, fields: Record<string, unknown>, message: string): void {
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), msg: message, ...fields })}\n`);
}
