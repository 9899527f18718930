// What a handler can do: the context of an operation and the effects that a transaction may have.

import type { InnerCaller, InnerCalls } from './calls.ts';
import type { IfMatch, Version } from './conditional.ts';
import type { ErrorDetail } from './errors.ts';
import type { CustomEventsDeclaration, EventDeclaration, FanOut } from './events.ts';
import type { WorkspaceHandle } from './handle.ts';
import type { JobKey, JobRequest } from './jobs.ts';
import type { CustomEventData, EventMap, Services } from './open.ts';
import type { PersonalDataPort } from './personal-data.ts';
import type { PluginPorts } from './port.ts';
import type { Keyring } from './ports/keyring.ts';
import type { Outgoing } from './ports/outgoing.ts';
import type { IdSource, Logger, MembersPort, Phase, Randomness } from './ports/platform.ts';
import type { TimelinePort } from './timeline.ts';
import type { Actor, Workspace } from './workspace.ts';

/** `ctx.ports`: the ports of the core and those of the composed plugins. */
export type ServicePorts = CorePorts & PluginPorts;

/** What both handlers and jobs reach: the services of the composed plugins and all ports. */
export interface ServiceSurface {
  readonly services: Services;
  readonly ports: ServicePorts;
  readonly log: Logger;
}

/** The core's ports that plugins may use. */
export interface CorePorts {
  readonly ids: IdSource;
  /** For secrets that a plugin makes. */
  readonly randomness: Randomness;
  readonly keyring: Keyring;
  readonly members: MembersPort;
  /** Requests to addresses that users gave. */
  readonly outgoing: Outgoing;
  /** The composed events of the catalogue, by type. */
  readonly events: ReadonlyMap<string, EventDeclaration>;
  /** What custom events carry, where a composed plugin takes them. */
  readonly customEvents: CustomEventsDeclaration | undefined;
  /** What all composed plugins know of a person. */
  readonly personalData: PersonalDataPort;
  /** What all composed plugins know of the timeline of a person. */
  readonly timeline: TimelinePort;
  /** The present time in milliseconds; inside a call use `ctx.now`, which does not move. */
  now(): number;
  /** Tells whoever tests crashes that a boundary was reached. */
  phase(phase: Phase, subject: string): void;
  /** The service's public name and settings that texts need. */
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

/** What is said of an event beside its data. */
export interface EmitOptions {
  /** Whether it is about something of the sandbox; it lies on that side then. (Default: false; true in the sandbox) */
  readonly synthetic?: boolean;
  /**
   * The fact's own `evt_…`, where it has one. A second event under one id is refused by the database: whoever may be told of
   * a fact twice looks first. (Default: a new one)
   */
  readonly id?: string;
  /** Whose personal data it holds, so that it can be erased: the id of a person's record, or a normalised address. (Default: nobody's) */
  readonly subject?: string;
}

/** What a transaction may do beside its own rows; everything commits with it. */
export interface Effects {
  /** The workspace's rows, inside the transaction. */
  readonly trx: WorkspaceHandle;
  readonly workspace: Workspace;
  /** The time of the call in milliseconds since the epoch; does not move during it. */
  readonly now: number;
  readonly sandbox: boolean;
  newId(prefix: string): string;
  /** Emits a catalogue event; what a sandbox call emits is synthetic whatever `options` say. Answers its id. */
  emit<T extends keyof EventMap & string>(type: T, data: EventMap[T], options?: EmitOptions): string;
  /** Emits somebody else's event under its own name; who wants it is told inside this transaction. */
  emitCustom(
    type: string,
    data: CustomEventData,
    options: Required<Pick<EmitOptions, 'subject'>>,
  ): Promise<{ readonly id: string; readonly fanOut: FanOut }>;
  /** Writes a job; one with a key replaces the job that waits under it. Answers its id. */
  enqueue(job: JobRequest): string;
  /**
   * Takes back the job that waits under a key, on this side (live or sandbox); of a key alone, whatever its kind.
   * False: a worker has claimed it, or there is none.
   */
  cancelJob(key: string | JobKey): Promise<boolean>;
  /** Charges credits; refused with credits_exhausted when the balance does not cover it. Sandbox work is free. */
  charge(credits: number, reason: string): Promise<void>;
  /**
   * Takes credits for work that ends later, in this month, and answers the id of the hold: `settle` or `release` it when
   * the work has ended. A schedule releases it at `expiresAt`. (Default: 24 hours from now) @throws credits_exhausted
   */
  hold(credits: number, reason: string, options?: { readonly expiresAt?: number }): Promise<string>;
  /** Ends a hold with the true price, never more than was held; the rest goes back. False where it has ended already. */
  settle(holdId: string, credits: number): Promise<boolean>;
  /** Ends a hold of work that failed or was called off: all of it goes back. False where it has ended already. */
  release(holdId: string): Promise<boolean>;
  /**
   * Counts `amount` against a named monthly budget (UTC months). Answers when it renews, in milliseconds, if that
   * would pass `limit`; nothing is counted then. Exact within a process; calls that run at the same instant in
   * several processes can pass the limit together by their number.
   */
  spend(
    budget: string,
    amount: number,
    limit: number,
  ): Promise<{ readonly exceeded: false } | { readonly exceeded: true; readonly renewsAt: number }>;
  /**
   * Calls of the composed plugins' operations inside this transaction, as the service itself: `effects.as().email.send({ … })`.
   * Input, audit entry, events, jobs, credits and budgets as through any door; no scope is asked for, the sandbox is
   * inherited. An `idempotencyKey` makes a repeated call harmless. Await each call. @throws PostriderError after which the
   * transaction can go on: the call has a savepoint
   */
  as(caller?: InnerCaller): InnerCalls;
  /**
   * Writes an audit entry in the name of whoever acts, for what no entry of the call itself says. Metadata never holds
   * bodies, variables, secrets or whole addresses.
   */
  audit(action: string, target: AuditTarget, metadata?: AuditMetadata): void;
  /** Runs after the commit, in this process only; for wake-ups and caches, never for what must happen. */
  afterCommit(work: () => void): void;
}

/** What an audit entry is about. */
export interface AuditTarget {
  readonly kind: string;
  readonly id: string;
}

/** What an audit entry says beside its action and target. */
export type AuditMetadata = Readonly<Record<string, string | number | boolean>>;

/** What an operation's handler is given. */
export interface OperationContext extends Effects, ServiceSurface {
  readonly actor: Actor;
  readonly requestId: string;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  /** Scopes held, with everything they imply. In-process callers hold all. */
  holds(scope: string): boolean;
  /** Adds to the audit entry's metadata. Never bodies, variables, secrets or whole addresses. */
  note(metadata: AuditMetadata): void;
  /** Throws validation_failed with these details when there are any. */
  refuse(details: readonly ErrorDetail[]): void;
  /** The media type of the answer: application/json, or the one of `representations` that the caller chose. */
  readonly representation: string;
  /**
   * What If-Match says, where the operation declares `ifMatch`: tags without their quotes, or `*`. Undefined without the header,
   * and always for tools and calls in process, which give the version in a field of the body.
   */
  readonly ifMatch: IfMatch | undefined;
  /**
   * Refuses the call unless the resource is at the version that the caller expects: what If-Match names, and `expected`, the
   * body's field, where it is given. Without either, any version will do. @throws version_conflict
   */
  expectVersion(current: Version, expected?: Version): void;
  readonly signal: AbortSignal;
}

/** What `prepare` is given: reads only, outside any transaction. */
export interface PrepareContext extends ServiceSurface {
  readonly workspace: Workspace;
  readonly actor: Actor;
  readonly requestId: string;
  readonly now: number;
  readonly sandbox: boolean;
  readonly dryRun: boolean;
  /** The media type of the answer: application/json, or the one of `representations` that the caller chose. */
  readonly representation: string;
  readonly signal: AbortSignal;
  read<T>(work: (handle: WorkspaceHandle) => Promise<T>): Promise<T>;
}
