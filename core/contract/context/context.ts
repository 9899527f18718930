// The contexts of operations, jobs and other plugin code, and the effects that a transaction may have.

import type { ConsoleEntry } from '../declaration/console.ts';
import type { ContentKindId, DecisionQuestion, PendingDecision } from '../declaration/content-kind.ts';
import type { CustomEventsDeclaration, EventDeclaration, FanOut } from '../declaration/events.ts';
import type { ContributionsPort } from '../declaration/extension.ts';
import type { HeldCallsPort } from '../declaration/held-calls.ts';
import type { JobKey, JobRequest } from '../declaration/jobs.ts';
import type { PersonalDataPort } from '../declaration/personal-data.ts';
import type { PluginPorts } from '../declaration/port.ts';
import type { ScopesPort } from '../declaration/scopes.ts';
import type { TimelinePort } from '../declaration/timeline.ts';
import type { ErrorDetail } from '../errors/errors.ts';
import type { IfMatch, Version } from '../http/conditional.ts';
import type { CustomEventData, EventMap, Services } from '../open.ts';
import type { AccessPort } from '../ports/access.ts';
import type { JobsPort } from '../ports/jobs.ts';
import type { Keyring } from '../ports/keyring.ts';
import type { Outgoing } from '../ports/outgoing.ts';
import type { IdSource, Logger, MembersPort, Phase, Randomness } from '../ports/platform.ts';
import type { TelemetryPort } from '../ports/telemetry.ts';
import type { Leash } from '../values/leash.ts';
import type { InnerCaller, InnerCalls } from './calls.ts';
import type { WorkspaceHandle } from './handle.ts';
import type { OperationsPort } from './operation-catalogue.ts';
import type { Actor, Workspace } from './workspace.ts';

/** `ctx.ports`: the ports of the core and those of the composed plugins. */
export type ServicePorts = CorePorts & PluginPorts;

/**
 * The context of all plugin code: the services of the composed plugins, all ports, and the log. Every other context extends it.
 */
export interface ServiceContext {
  readonly services: Services;
  readonly ports: ServicePorts;
  readonly log: Logger;
}

/** The core's ports that plugins may use. */
export interface CorePorts {
  readonly ids: IdSource;
  /** For secrets that a plugin generates. */
  readonly randomness: Randomness;
  readonly keyring: Keyring;
  readonly members: MembersPort;
  /** Identifies the visitor of a page. For pages that act for a member. */
  readonly access: AccessPort;
  /** The scopes that the composed plugins declare. */
  readonly scopes: ScopesPort;
  /** Requests to URLs that users supplied. */
  readonly outgoing: Outgoing;
  /** The catalogue events of the composed plugins, by type. */
  readonly events: ReadonlyMap<string, EventDeclaration>;
  /** The declaration of custom events. Undefined if no composed plugin accepts them. */
  readonly customEvents: CustomEventsDeclaration | undefined;
  /** Whether any subscriber or consumer receives certain events of the service. */
  readonly subscribers: SubscribersPort;
  /** Export and erasure of a person over all composed plugins. */
  readonly personalData: PersonalDataPort;
  /** The timeline of a person over all composed plugins. */
  readonly timeline: TimelinePort;
  /** Measures calls to providers. */
  readonly telemetry: TelemetryPort;
  /** The entries that the composed plugins contribute to an extension point. */
  readonly contributions: ContributionsPort;
  /** The declared content kinds. Also runs approved calls. */
  readonly heldCalls: HeldCallsPort;
  /** The operations of the composed plugins, as data. */
  readonly operations: OperationsPort;
  /** The pages that the composed plugins add to the console, in the order of the plugins. */
  readonly consoleEntries: readonly ConsoleEntry[];
  /** The failed jobs of a workspace. */
  readonly jobs: JobsPort;
  /** The present time in milliseconds. Inside a call use `ctx.now`, which stays constant. */
  now(): number;
  /** Reports that execution reached a crash boundary; fault tests listen to it. */
  phase(phase: Phase, subject: string): void;
  /** The service's public name, and the settings that texts need. */
  readonly service: ServiceInfo;
}

/** `ctx.ports.subscribers`: lets a plugin skip costly work for events that have no receiver. */
export interface SubscribersPort {
  /** Whether a subscriber of this process, of a plugin or of the program, receives events of one of these types. */
  inProcess(types: readonly string[]): boolean;
  /** The ids of the consumers, such as webhooks, with an interest in one of these types on the handle's side. */
  consumersOf(handle: WorkspaceHandle, types: readonly string[]): Promise<readonly string[]>;
}

/** Name and settings of the running service. */
export interface ServiceInfo {
  readonly name: string;
  /** The lower-cased name that key prefixes contain. */
  readonly slug: string;
  readonly environment: 'development' | 'production';
  /** The URL at which clients reach the service, without a trailing slash; undefined if not configured. */
  readonly publicUrl: string | undefined;
  /** Ids of the composed plugins. */
  readonly features: readonly string[];
}

/** Options of an event, in addition to its data. */
export interface EmitOptions {
  /** Whether the event is about sandbox data. If true, it is stored on the sandbox side. (Default: false; true in the sandbox) */
  readonly synthetic?: boolean;
  /**
   * The event's `evt_…` id, if the caller chooses it. The database refuses a second event with the same id. A caller that
   * may report one occurrence twice must check first. (Default: a new id)
   */
  readonly id?: string;
  /**
   * The person whose personal data the event contains, so that erasure finds it: the id of the person's record, or a
   * normalised address. (Default: no person)
   */
  readonly subject?: string;
}

/** The context of code for one workspace, outside or inside a transaction. */
export interface WorkspaceContext extends ServiceContext {
  readonly workspace: Workspace;
  readonly sandbox: boolean;
  /** The time in milliseconds since the epoch; constant during a call, the present time in a job. */
  readonly now: number;
}

/** The context for reading rows of one workspace. It is the smallest context, so a helper that only reads rows takes this type. */
export interface ReadContext extends ServiceContext {
  /** The workspace's rows: read inside the transaction if one is open, else as committed. */
  readonly trx: WorkspaceHandle;
  /** The time of the call in milliseconds since the epoch; constant during the call. */
  readonly now: number;
  readonly sandbox: boolean;
}

/** The effects of a transaction in addition to the plugin's own rows. They commit with the transaction. */
export interface TransactionContext extends ReadContext, WorkspaceContext {
  newId(prefix: string): string;
  /** Emits a catalogue event and returns its id. In a sandbox call the event is always synthetic, whatever `options` contains. */
  emit<T extends keyof EventMap & string>(type: T, data: EventMap[T], options?: EmitOptions): string;
  /**
   * Emits a catalogue event whose data must be read first. If no consumer subscribes to the type, `data` is not called.
   * Each transaction looks the subscriptions of a type up only once.
   */
  emitIfSubscribed<T extends keyof EventMap & string>(
    type: T,
    data: () => Promise<EventMap[T]>,
    options?: EmitOptions,
  ): Promise<void>;
  /**
   * Emits one catalogue event for each item. Suited to thousands of items. If no consumer subscribes to the type, it looks
   * the subscriptions up once and does nothing else.
   */
  emitEach<T extends keyof EventMap & string>(
    type: T,
    items: readonly ({ readonly data: EventMap[T] } & Pick<EmitOptions, 'subject' | 'synthetic'>)[],
  ): Promise<void>;
  /** Emits a custom event under the type that the caller chose. Consumers receive it inside this transaction. */
  emitCustom(
    type: string,
    data: CustomEventData,
    options: Required<Pick<EmitOptions, 'subject'>>,
  ): Promise<{ readonly id: string; readonly fanOut: FanOut }>;
  /** Writes a job and returns its id. A job with a key replaces the waiting job with the same key. */
  enqueue(job: JobRequest): string;
  /**
   * Deletes the waiting job with this key on this side (live or sandbox). A string matches jobs of every kind. Returns
   * false if a worker has claimed the job or if there is no such job.
   */
  cancelJob(key: string | JobKey): Promise<boolean>;
  /** Charges credits. Sandbox calls are free. @throws credits_exhausted when the balance does not cover them */
  charge(credits: number, reason: string): Promise<void>;
  /**
   * Reserves credits of this month for work that ends later. Returns the id of the reservation: call `settle` or `release`
   * with it when the work has ended. A schedule releases it at `expiresAt`. (Default: 24 hours from now)
   * @throws credits_exhausted
   */
  hold(credits: number, reason: string, options?: { readonly expiresAt?: number }): Promise<string>;
  /**
   * Ends a reservation with the final price, which never exceeds the reserved credits. The rest is refunded. Returns false
   * if the reservation has already ended.
   */
  settle(holdId: string, credits: number): Promise<boolean>;
  /**
   * Ends a reservation whose work failed or was canceled, and refunds all of it. Returns false if the reservation has
   * already ended.
   */
  release(holdId: string): Promise<boolean>;
  /**
   * Counts `amount` against a named monthly budget (UTC months). If the sum would exceed `limit`, it counts nothing and
   * returns the time at which the budget renews, in milliseconds. The count is exact over all processes. At 80 and 100 % of
   * the limit, `budget.reached` is emitted once a month.
   * @throws StorageError `busy` if it stays unknown for a second whether the amount fits, because other calls lock the budget
   */
  spend(
    budget: string,
    amount: number,
    limit: number,
  ): Promise<{ readonly exceeded: false } | { readonly exceeded: true; readonly renewsAt: number }>;
  /**
   * Calls operations of the composed plugins inside this transaction, as the service itself: `effects.as().email.send({
   * … })`. Input checks, audit entry, events, jobs, credits and budgets are the same as for any other call. No scope is
   * checked. The call runs on the side (live or sandbox) of this context. An `idempotencyKey` makes a repeated call harmless.
   * Await each call.
   * @throws PostriderError. The call runs in a savepoint, so the transaction can go on after the error
   */
  as(caller?: InnerCaller): InnerCalls;
  /**
   * Writes an additional audit entry in the name of the current actor. Metadata must never contain bodies, variables,
   * secrets or whole addresses.
   */
  audit(action: string, target: AuditTarget, metadata?: AuditMetadata): void;
  /** Runs `work` after the commit, in this process only. Use it for wake-ups and caches, never for work that must happen. */
  afterCommit(work: () => void): void;
  /**
   * Call this when targets of a content kind changed their content or were deleted. Requests that wait for a decision
   * about them are withdrawn in this transaction.
   */
  contentChanged(kind: ContentKindId, targetIds: readonly string[]): Promise<void>;
}

/** The thing that an audit entry is about. */
export interface AuditTarget {
  readonly kind: string;
  readonly id: string;
}

/** Details of an audit entry, in addition to its action and target. */
export type AuditMetadata = Readonly<Record<string, string | number | boolean>>;

/** The leash of a caller's key. */
export interface CallerLeash {
  readonly leash: Leash;
  /** The id of the counter: the id of the key, or the counter that several keys share. */
  readonly counter: string;
  /** How many recipients were counted for this call. The call and its jobs together must not reach more recipients. */
  readonly recipients: number;
}

/** The context of an operation's handler. */
export interface OperationContext extends TransactionContext {
  readonly actor: Actor;
  readonly requestId: string;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  /** The leash of the caller's key; undefined for a caller without one. */
  readonly leash: CallerLeash | undefined;
  /** Whether the caller has the scope, directly or by implication. In-process callers have every scope. */
  holds(scope: string): boolean;
  /** Adds to the metadata of the call's audit entry. Never pass bodies, variables, secrets or whole addresses. */
  note(metadata: AuditMetadata): void;
  /** Throws validation_failed with these details. Does nothing if the list is empty. */
  refuse(details: readonly ErrorDetail[]): void;
  /** The media type of the response: application/json, or the type in `representations` that the caller chose. */
  readonly representation: string;
  /**
   * If the operation declares `ifMatch`: the tags of If-Match without their quotes, or `*`. Undefined without the header.
   * Always undefined for tools and in-process calls, which pass the version in a field of the body.
   */
  readonly ifMatch: IfMatch | undefined;
  /**
   * Refuses the call unless the resource has the version that the caller expects. The caller passes it in If-Match, in a
   * field of the body (`expected`), or in both. If neither is given, every version is accepted.
   * @throws version_conflict
   */
  expectVersion(current: Version, expected?: Version): void;
  /**
   * Returns a pending decision if a policy holds the call, else undefined. Call it after all checks, right before the call
   * makes `targetId` public. If it returns a decision, leave the target as it is and respond with 202,
   * in the form that `heldResponse` declares: `return respond(202, …)`. If it returns undefined, go on.
   * @throws state_conflict if another request for the target waits
   */
  requireDecision(targetId: string, question?: DecisionQuestion): Promise<PendingDecision | undefined>;
  /** The id of the approved request that this call carries out, if the call runs again after a decision. */
  readonly approvedRequest: string | undefined;
  readonly signal: AbortSignal;
}

/** The context of `prepare`: reads only, outside any transaction. */
export interface PrepareContext extends WorkspaceContext {
  readonly actor: Actor;
  readonly requestId: string;
  readonly dryRun: boolean;
  /** The id of the approved request that this call carries out, if the call runs again after a decision. */
  readonly approvedRequest: string | undefined;
  /** The media type of the response: application/json, or the type in `representations` that the caller chose. */
  readonly representation: string;
  readonly signal: AbortSignal;
  /** Whether the caller has the scope, directly or by implication. In-process callers have every scope. */
  holds(scope: string): boolean;
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /**
   * Call it before paid work outside, with the credits that the handler will charge. Otherwise the leash would refuse the credits
   * only after the work.
   * @throws leash_exceeded if the leash of the caller's key leaves fewer credits
   */
  checkLeash(credits: number): Promise<void>;
  /**
   * Runs a transaction of the service itself, before the call's transaction. Use it for data that must stay even if the call
   * fails or is a dry run, such as credentials that a provider has renewed.
   */
  checkpoint<T>(work: (ctx: TransactionContext) => Promise<T>): Promise<T>;
}
