// Where a call inside an open transaction happens, in whose name, and what it leaves to the transaction around it.
// Made by call-effects.ts; read by inner-calls.ts, which runs such calls.
import type { Actor, Workspace } from '../contract/workspace.ts';
import type { TransactionScope } from '../storage/database.ts';

/** What a transaction has counted against a budget. */
export interface Counted {
  /** Reserved until the transaction has ended, also by calls in it that failed. */
  reserved: number;
  /** Not in the database yet: deferred to the next flush. */
  unwritten: number;
}

/** What a whole transaction has reserved, over all calls in it. */
export interface TransactionTotals {
  credits: number;
  readonly budgets: Map<string, Counted>;
}

/** What a transaction did beside its rows. */
export interface Recorded {
  readonly events: string[];
  readonly jobs: RecordedJob[];
  /** Whether the statements of events may have written jobs of their own. */
  mayDispatch: boolean;
  /** Credits that were taken. */
  credits: number;
}

/** A job that was written. */
export interface RecordedJob {
  readonly id: string;
  readonly kind: string;
  readonly due: boolean;
}

/** What a call that succeeded leaves: it counts once the transaction around it commits. */
export interface InnerOutcome {
  readonly recorded: Recorded;
  readonly afterCommit: readonly (() => void)[];
}

/** An open transaction, as calls inside it find it. */
export interface CallPlace {
  readonly scope: TransactionScope;
  readonly workspace: Workspace;
  readonly now: number;
  readonly sandbox: boolean;
  /** Who acts where the call names nobody else. */
  readonly actor: Actor;
  /** Scopes of the caller around it; undefined for the service itself, which holds all. */
  readonly scopes: ReadonlySet<string> | undefined;
  readonly totals: TransactionTotals;
  /** One for everything in the transaction that has none of its own. */
  requestId(): string;
  /** Takes over what a call left. */
  absorb(outcome: InnerOutcome): void;
  /** Calls of one transaction run one after another: each has a savepoint. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}
