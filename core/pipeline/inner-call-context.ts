// The surroundings of a call inside an open transaction: its actor, its scopes, and its effects on the transaction. Made by
// call-effects.ts; read by inner-calls.ts, which runs such calls.
import type { Actor, Workspace } from '../contract/context/workspace.ts';
import type { TransactionScope } from '../storage/database.ts';
import type { LeashedCall } from './leash.ts';

/** The amounts that a transaction has counted against a budget. */
export interface CountedAmounts {
  /** Taken until the transaction ends. If a call in it is rolled back, the call's part is given back. */
  alreadyTaken: number;
  /** The part without a reservation that is deferred to the next flush, and so not in the database yet. */
  unwritten: number;
}

/** The amounts that a whole transaction has taken, over all calls in it. */
export interface TransactionTotals {
  /** By budget. */
  readonly budgets: Map<string, CountedAmounts>;
  /** Each amount separately, in order: if a call is rolled back, its amounts are given back. */
  readonly parts: TakenPart[];
}

/** An amount that was taken from a budget. */
export interface TakenPart {
  readonly budget: string;
  readonly amount: number;
  giveBack(): void;
}

/** The effects of a transaction in addition to its rows. */
export interface RecordedEffects {
  readonly events: string[];
  readonly jobs: RecordedJob[];
  /** Whether event statements may have written jobs of their own. */
  mayDispatch: boolean;
  /** Credits that were charged. */
  credits: number;
}

/** A job that was written. */
export interface RecordedJob {
  readonly id: string;
  readonly kind: string;
  /** Index in `lanes`. */
  readonly lane: number;
  readonly due: boolean;
}

/** The effects of a successful call. They take effect when the surrounding transaction commits. */
export interface InnerCallResult {
  readonly recorded: RecordedEffects;
  readonly afterCommit: readonly (() => void)[];
}

/** An open transaction, for the calls inside it. */
export interface InnerCallContext {
  readonly scope: TransactionScope;
  readonly workspace: Workspace;
  readonly now: number;
  readonly sandbox: boolean;
  /** Everything is rolled back at the end. */
  readonly dryRun: boolean;
  /** The actor of calls that name no actor. */
  readonly actor: Actor;
  /** The scopes of the surrounding call; undefined for the service itself, which has all scopes. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** The surrounding call, if its key has a leash: credits count against it. */
  readonly leashed: LeashedCall | undefined;
  readonly totals: TransactionTotals;
  /** The request id shared by everything in the transaction that has no request id of its own. */
  requestId(): string;
  /** Adds the effects of a call to the transaction's. */
  absorb(result: InnerCallResult): void;
  /** Runs the calls of one transaction one after another: each needs a savepoint. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}
