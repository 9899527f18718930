// The value that the kernel composes and that the pipeline, the jobs and the interfaces use. There is one for each service. It
// contains no logic.

import type { InnerCaller } from '../contract/context/calls.ts';
import type { ServicePorts } from '../contract/context/context.ts';
import type { Plans } from '../contract/context/workspace.ts';
import type { BearerKey, BearerTokens } from '../contract/declaration/bearer-tokens.ts';
import type { CommandDeclaration } from '../contract/declaration/command.ts';
import type { ConsoleEntry } from '../contract/declaration/console.ts';
import type { ContentKindId } from '../contract/declaration/content-kind.ts';
import type { CustomEventsDeclaration, EventConsumer, EventDeclaration } from '../contract/declaration/events.ts';
import type { CallHolder, ContentKind } from '../contract/declaration/held-calls.ts';
import type { JobDeclaration, ScheduleDeclaration } from '../contract/declaration/jobs.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { Plugin, TableDeclaration } from '../contract/declaration/plugin.ts';
import type { PortDeclaration } from '../contract/declaration/port.ts';
import type { PublicRoute } from '../contract/declaration/public-route.ts';
import type { PromptDeclaration, ResourceDeclaration } from '../contract/declaration/resource.ts';
import type { RetentionDeclaration } from '../contract/declaration/retention.ts';
import type { TimelineSource } from '../contract/declaration/timeline.ts';
import type { ErrorDefinition } from '../contract/errors/errors.ts';
import type { Services } from '../contract/open.ts';
import type { KeyringAdapter } from '../contract/ports/keyring.ts';
import type { LimitStore } from '../contract/ports/limits.ts';
import type { Logger, Randomness } from '../contract/ports/platform.ts';
import type { JobQueue } from '../contract/ports/queue.ts';
import type { StorageAdapter } from '../contract/ports/storage.ts';
import type * as z from '../contract/schemas/zod.ts';
import type { Database } from '../storage/database.ts';
import type { NamespacedMigrations } from '../storage/history.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { BudgetMarks } from './budget-marks.ts';
import type { BudgetMeter } from './budgets.ts';
import type { EventRouter } from './event-router.ts';
import type { InnerCallContext } from './inner-call-context.ts';
import type { KeyUsage } from './key-usage.ts';
import type { DeclaredPlanLimits } from './plans.ts';
import type { Precedence } from './precedence.ts';
import type { RequestLog } from './request-log.ts';
import type { ScopeRegistry } from './scopes.ts';

/** The declarations of all composed plugins, checked for collisions. */
export interface Registry {
  readonly plugins: readonly Plugin[];
  readonly operations: ReadonlyMap<string, Operation>;
  readonly tools: ReadonlyMap<string, Operation>;
  readonly publicRoutes: readonly PublicRoute[];
  readonly resources: readonly ResourceDeclaration[];
  readonly prompts: ReadonlyMap<string, PromptDeclaration>;
  readonly commands: ReadonlyMap<string, CommandDeclaration>;
  readonly events: ReadonlyMap<string, EventDeclaration>;
  readonly customEvents: CustomEventsDeclaration | undefined;
  readonly eventConsumers: readonly EventConsumer[];
  readonly errors: ReadonlyMap<string, ErrorDefinition>;
  readonly jobs: ReadonlyMap<string, JobDeclaration>;
  readonly schedules: readonly ScheduleDeclaration[];
  /** By the name of the setting. */
  readonly retention: ReadonlyMap<string, RetentionDeclaration>;
  readonly tables: ReadonlyMap<string, TableDeclaration>;
  /** By name. */
  readonly ports: ReadonlyMap<string, { readonly plugin: string; readonly declaration: PortDeclaration }>;
  readonly timeline: readonly TimelineSource[];
  readonly consoleEntries: readonly ConsoleEntry[];
  readonly contentKinds: ReadonlyMap<ContentKindId, ContentKind>;
  /** Decides which calls wait for a decision. Undefined if calls are never held. */
  readonly callHolder: CallHolder | undefined;
  /** Accepts tokens that are not API keys at the MCP endpoint. Undefined if only keys are accepted. */
  readonly bearerTokens: BearerTokens | undefined;
  /** The limits that plugins add to plans, by name. */
  readonly planLimits: DeclaredPlanLimits;
  /** The schemas of workspaces' settings that plugins declare, by name. */
  readonly workspaceSettings: ReadonlyMap<string, z.ZodType>;
  readonly migrations: readonly NamespacedMigrations[];
  readonly scopes: ScopeRegistry;
}

/** Settings with their defaults filled in. */
export interface CoreSettings {
  /** Bytes. (Default: 15 MiB) */
  readonly maxBodyBytes: number;
  /** Whether requests pass while the limit store is down. (Default: allow) */
  readonly onStoreFailure: 'allow' | 'deny';
  /** Whether GET /v1/openapi.json needs no key. (Default: false) */
  readonly publicOpenapi: boolean;
  /** Origins of web pages that may call the MCP endpoint. (Default: none) */
  readonly toolOrigins: readonly string[];
  /** Origins of web pages that may read the API. (Default: none) */
  readonly corsOrigins: readonly string[];
  /** Whether events are checked against their schema when emitted. (Default: outside production) */
  readonly checkEvents: boolean;
  readonly idempotencyMs: number;
}

/** Tells this process that jobs were written, so that it does not wait for the next poll of the database. */
export interface JobSignal {
  /**
   * Call after a commit. `perhaps`: the commit wrote no job, but an event that may cause one. `urgent`: it wrote a job of the lane
   * `urgent`. (Default: it wrote other jobs)
   */
  wake(written?: 'perhaps' | 'urgent'): void;
  /**
   * Call for jobs in a transaction of the program, whose commit is not reported. Looks for these jobs for half a minute. `urgent`: one of
   * them is of the lane `urgent`.
   */
  watch(jobIds: readonly string[], written?: 'urgent'): void;
}

/** The composed core. */
export interface Core {
  readonly registry: Registry;
  readonly settings: CoreSettings;
  readonly plans: Plans;
  /** How long rows are kept, in milliseconds, by the name of the setting. */
  readonly retention: ReadonlyMap<string, number>;
  readonly limits: LimitStore;
  /** The program's adapters, unopened: for hosts and diagnosis. */
  readonly adapters: {
    readonly storage: StorageAdapter;
    readonly keyring: KeyringAdapter;
    readonly queue: JobQueue | undefined;
  };
  readonly randomness: Randomness;
  readonly ports: ServicePorts;
  readonly log: Logger;
  readonly services: Services;
  readonly budgets: BudgetMeter;
  readonly budgetMarks: BudgetMarks;
  readonly keyUsage: KeyUsage;
  /** Undefined if requests are not logged. */
  readonly requestLog: RequestLog | undefined;
  /** The key that a bearer token represents; undefined if no plugin knows the token. */
  keyOfToken(token: string, now: number): Promise<BearerKey | undefined>;
  readonly jobSignal: JobSignal;
  readonly precedence: Precedence;
  readonly telemetry: Telemetry;
  /** The typed calls inside an open transaction, by area and name. */
  innerCalls(context: InnerCallContext, caller: InnerCaller): unknown;
  /** Finds the patterns that match an event, and the subscribers in this process. */
  readonly eventRouter: EventRouter;
  /** `EventConsumer.id` of the composed consumers. */
  readonly consumerIds: readonly string[];
  /** The ids of the consumers that get all events of one `emitEach` in a single job. */
  readonly jointConsumerIds: readonly string[];
  /** Call before the service is used. @throws Error if the job kind exists already */
  addSubscriber(pattern: string, job: JobDeclaration): void;
  /** Opens the database at the first use. @throws StorageError when this release cannot work with its schema */
  database(): Promise<Database>;
  /** The same for any schema version: for migrations and diagnosis only. */
  anyDatabase(): Promise<Database>;
}
