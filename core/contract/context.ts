// What a handler can do: the context of an operation and the effects that a transaction may have.

import type { InnerCaller, InnerCalls } from './calls.ts';
import type { IfMatch, Version } from './conditional.ts';
import type { ErrorDetail } from './errors.ts';
import type { CustomEventsDeclaration, EventDeclaration, FanOut } from './events.ts';
import type { ContributionsPort } from './extension.ts';
import type { WorkspaceHandle } from './handle.ts';
import type { HeldCallsPort } from './held-calls.ts';
import type { JobKey, JobRequest } from './jobs.ts';
import type { CustomEventData, EventMap, Services } from './open.ts';
import type { PersonalDataPort } from './personal-data.ts';
import type { PluginPorts } from './port.ts';
import type { Keyring } from './ports/keyring.ts';
import type { Outgoing } from './ports/outgoing.ts';
import type { IdSource, Logger, MembersPort, Phase, Randomness } from './ports/platform.ts';
import type { TelemetryPort } from './ports/telemetry.ts';
import type { DecisionQuestion, PendingDecision, SurfaceKind } from './surface.ts';
import type { TimelinePort } from './timeline.ts';
import type { Actor, Workspace } from './workspace.ts';

/** `ctx.ports`: the ports of the core and those of the composed plugins. */
export type ServicePorts = CorePorts & PluginPorts;

/** What all code of a plugin has: the services of the composed plugins, all ports, and the log. Every other context extends it. */
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
  /** Requests to URLs that users supplied. */
  readonly outgoing: Outgoing;
  /** The catalogue events of the composed plugins, by type. */
  readonly events: ReadonlyMap<string, EventDeclaration>;
  /** The declaration of custom events, where a composed plugin accepts them. */
  readonly customEvents: CustomEventsDeclaration | undefined;
  /** Export and erasure of a person over all composed plugins. */
  readonly personalData: PersonalDataPort;
  /** The timeline of a person over all composed plugins. */
  readonly timeline: TimelinePort;
  /** Measures calls to providers. */
  readonly telemetry: TelemetryPort;
  /** What the composed plugins contribute to an extension point. */
  readonly contributions: ContributionsPort;
  /** The declared surfaces, and the run of an approved call. */
  readonly heldCalls: HeldCallsPort;
  /** The present time in milliseconds; inside a call use `ctx.now`, which does not move. */
  now(): number;
  /** Reports that execution reached a crash boundary; fault tests listen to it. */
  phase(phase: Phase, subject: string): void;
  /** The service's public name and the settings that texts need. */
  readonly service: ServiceInfo;
}

/** Name and settings of the running service. */
export interface ServiceInfo {
  readonly name: string;
  /** Lower-cased, as it stands in key prefixes. */
  readonly slug: string;
  readonly environment: 'development' | 'production';
  /** Where the surface is reachable from outside, without a trailing slash; undefined when not configured. */
  readonly publicUrl: string | undefined;
  /** Ids of the composed plugins. */
  readonly features: readonly string[];
}

/** Options of an event beside its data. */
export interface EmitOptions {
  /** Whether it is about something of the sandbox; it lies on that side then. (Default: false; true in the sandbox) */
  readonly synthetic?: boolean;
  /**
   * The event's own `evt_…`, where it has one. The database refuses a second event with the same id: a caller that may
   * report one occurrence twice must check first. (Default: a new id)
   */
  readonly id?: string;
  /**
   * The person whose personal data the event holds, so that erasure finds it: the id of a person's record, or a
   * normalised address. (Default: no person)
   */
  readonly subject?: string;
}

/** What code for one workspace has, outside or inside a transaction. */
export interface WorkspaceContext extends ServiceContext {
  readonly workspace: Workspace;
  readonly sandbox: boolean;
  /** The time in milliseconds since the epoch; constant during a call, the present time in a job. */
  readonly now: number;
}

/** What reads rows of one workspace has: the least that a helper over rows asks for. */
export interface ReadContext extends ServiceContext {
  /** The workspace's rows: inside the transaction where there is one, else as they are committed. */
  readonly trx: WorkspaceHandle;
  /** The time of the call in milliseconds since the epoch; constant during the call. */
  readonly now: number;
  readonly sandbox: boolean;
}

/** What a transaction can do beside writing its own rows; everything commits with it. */
export interface TransactionContext extends ReadContext, WorkspaceContext {
  newId(prefix: string): string;
  /** Emits a catalogue event and answers its id. In a sandbox call it is synthetic, whatever `options` say. */
  emit<T extends keyof EventMap & string>(type: T, data: EventMap[T], options?: EmitOptions): string;
  /**
   * Emits a catalogue event whose data takes reads to make: where no consumer subscribes to the type, one look-up of the
   * transaction finds that out, and the data are not made.
   */
  emitWanted<T extends keyof EventMap & string>(
    type: T,
    data: () => Promise<EventMap[T]>,
    options?: EmitOptions,
  ): Promise<void>;
  /**
   * Emits one catalogue event for each item: for thousands at once. Where no consumer subscribes to the type, one look-up finds that out and
   * nothing else is done.
   */
  emitEach<T extends keyof EventMap & string>(
    type: T,
    items: readonly ({ readonly data: EventMap[T] } & Pick<EmitOptions, 'subject' | 'synthetic'>)[],
  ): Promise<void>;
  /** Emits a caller's custom event under the caller's own name; consumers get it inside this transaction. */
  emitCustom(
    type: string,
    data: CustomEventData,
    options: Required<Pick<EmitOptions, 'subject'>>,
  ): Promise<{ readonly id: string; readonly fanOut: FanOut }>;
  /** Writes a job and answers its id. A job with a key replaces the waiting job with the same key. */
  enqueue(job: JobRequest): string;
  /**
   * Deletes the waiting job with this key on this side (live or sandbox); a text matches jobs of every kind. False
   * where a worker has claimed the job, or there is none.
   */
  cancelJob(key: string | JobKey): Promise<boolean>;
  /** Charges credits. Sandbox calls are free. @throws credits_exhausted when the balance does not cover them */
  charge(credits: number, reason: string): Promise<void>;
  /**
   * Reserves credits of this month for work that ends later, and answers the id of the hold: `settle` or `release` it
   * when the work has ended. A schedule releases it at `expiresAt`. (Default: 24 hours from now)
   * @throws credits_exhausted
   */
  hold(credits: number, reason: string, options?: { readonly expiresAt?: number }): Promise<string>;
  /**
   * Ends a hold with the final price, never more than was held; the rest is refunded. False where it has ended already.
   */
  settle(holdId: string, credits: number): Promise<boolean>;
  /** Ends a hold of work that failed or was cancelled: everything is refunded. False where it has ended already. */
  release(holdId: string): Promise<boolean>;
  /**
   * Counts `amount` against a named monthly budget (UTC months). If that would exceed `limit`, counts nothing and
   * answers when the budget renews, in milliseconds. Exact over all processes. At 80 and 100 % of the limit,
   * `budget.reached` is emitted once a month.
   * @throws StorageError `busy` when other calls that may give some of the budget back hold it for a second
   */
  spend(
    budget: string,
    amount: number,
    limit: number,
  ): Promise<{ readonly exceeded: false } | { readonly exceeded: true; readonly renewsAt: number }>;
  /**
   * Calls operations of the composed plugins inside this transaction, as the service itself: `effects.as().email.send({
   * … })`. Input checks, audit entry, events, jobs, credits and budgets are the same as for any other call; no scope is
   * checked, the sandbox is inherited. An `idempotencyKey` makes a repeated call harmless. Await each call.
   * @throws PostriderError after which the transaction can go on: the call has a savepoint
   */
  as(caller?: InnerCaller): InnerCalls;
  /**
   * Writes an additional audit entry in the name of the current actor. Metadata never holds bodies, variables, secrets
   * or whole addresses.
   */
  audit(action: string, target: AuditTarget, metadata?: AuditMetadata): void;
  /** Runs after the commit, in this process only; for wake-ups and caches, never for what must happen. */
  afterCommit(work: () => void): void;
  /**
   * Says that the content of things that a policy can hold has changed, or that they were deleted: requests that wait for a
   * decision about them are withdrawn in this transaction.
   */
  contentChanged(kind: SurfaceKind, targetIds: readonly string[]): Promise<void>;
}

/** What an audit entry is about. */
export interface AuditTarget {
  readonly kind: string;
  readonly id: string;
}

/** Details of an audit entry beside its action and target. */
export type AuditMetadata = Readonly<Record<string, string | number | boolean>>;

/** The context of an operation's handler. */
export interface OperationContext extends TransactionContext {
  readonly actor: Actor;
  readonly requestId: string;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  /** Scopes held, with everything they imply. In-process callers hold all. */
  holds(scope: string): boolean;
  /** Adds to the metadata of the call's audit entry. Never bodies, variables, secrets or whole addresses. */
  note(metadata: AuditMetadata): void;
  /** Throws validation_failed with these details when there are any. */
  refuse(details: readonly ErrorDetail[]): void;
  /** The media type of the answer: application/json, or the type in `representations` that the caller chose. */
  readonly representation: string;
  /**
   * The tags of If-Match without their quotes, or `*`, where the operation declares `ifMatch`. Undefined without the
   * header, and always for tools and in-process calls, which give the version in a field of the body.
   */
  readonly ifMatch: IfMatch | undefined;
  /**
   * Refuses the call unless the resource has the version that the caller expects, by If-Match and by `expected`, the
   * field of the body. Where neither is given, every version is accepted.
   * @throws version_conflict
   */
  expectVersion(current: Version, expected?: Version): void;
  /**
   * Asks whether a policy holds the call, after all checks and right before it makes `targetId` public. With an answer,
   * answer 202 and leave the target as it is: `return respond(202, { ...shown, decision })`. Undefined: go on.
   * @throws state_conflict where another request for the target waits
   */
  awaitDecision(targetId: string, question?: DecisionQuestion): Promise<PendingDecision | undefined>;
  /** The approved request that this call carries out, where it runs again after a decision. */
  readonly approvedRequest: string | undefined;
  readonly signal: AbortSignal;
}

/** The context of `prepare`: reads only, outside any transaction. */
export interface PrepareContext extends WorkspaceContext {
  readonly actor: Actor;
  readonly requestId: string;
  readonly dryRun: boolean;
  /** The approved request that this call carries out, where it runs again after a decision. */
  readonly approvedRequest: string | undefined;
  /** The media type of the answer: application/json, or the type in `representations` that the caller chose. */
  readonly representation: string;
  readonly signal: AbortSignal;
  /** Scopes held, with everything they imply. In-process callers hold all. */
  holds(scope: string): boolean;
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /**
   * A transaction of the service itself, before the call's: for what stays although the call fails or is a dry run, such as
   * credentials that a provider has renewed.
   */
  checkpoint<T>(work: (ctx: TransactionContext) => Promise<T>): Promise<T>;
}
