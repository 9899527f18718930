// Group commit on one SQLite connection: the transactions of one turn of the event loop run one after another, each in its own
// savepoint, share one COMMIT and resolve after it. Called by the SQLite driver; knows no SDK. A batch runs within one callback's
// microtasks, so nothing else in the process runs between its statements.
import { AsyncResource } from 'node:async_hooks';
import {
  isStorageError,
  type SqlConnection,
  StorageError,
  type TransactOptions,
} from '../../core/contract/ports/storage.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteFault } from './sqlite-faults.ts';
import type { SqliteSession } from './sqlite-session.ts';
import type { SqliteStatements } from './sqlite-statements.ts';

/** After this many members, or this many milliseconds, a batch is committed so that the event loop can continue. */
const batchMembers = 64;
const batchMs = 10;
/** The same time for a batch with background work, in milliseconds. */
const backgroundMs = 4;
const maxPauseMs = 25;
/** The interval at which the writer checks whether a held transaction may begin, in milliseconds. */
const heldPauseMs = 2;

type Outcome = { readonly value: unknown } | { readonly error: unknown };

interface Member {
  readonly work: (connection: SqlConnection) => Promise<unknown>;
  readonly answer: (result: Outcome) => void;
  readonly deadline: number;
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly durable: boolean;
  readonly background: boolean;
  readonly isHeld: (() => boolean) | undefined;
  /** Keeps the caller's AsyncLocalStorage: a batch starts in a callback without a caller's context. */
  readonly scope: AsyncResource;
  /** Whether the work was left in the queue when a batch was due. Even a wait of 0 ms gets one attempt. */
  waited: boolean;
  outcome?: Outcome;
}

/** Runs transactions on one connection. */
export class SqliteWriter {
  readonly #session: SqliteSession;
  readonly #statements: SqliteStatements;
  readonly #queue: Member[] = [];
  readonly #members = new WeakMap<SqlConnection, Member>();
  readonly #locks = new Map<string, Member>();
  readonly #idle: (() => void)[] = [];
  #scheduled = false;
  #running = false;
  #pauseMs = 1;
  #abandon: (() => void) | undefined;
  #cut = false;
  /** Whether the last batch left out background work. The next batch includes it. */
  #postponed = false;
  #asking: NodeJS.Timeout | undefined;

  constructor(session: SqliteSession, statements: SqliteStatements) {
    this.#session = session;
    this.#statements = statements;
  }

  /** Queues `work` for the next batch. See the port's `transact`. */
  transact<T>(
    work: (connection: SqlConnection) => Promise<T>,
    waitMs: number,
    {
      signal,
      durable = true,
      background = false,
      isHeld,
    }: Pick<TransactOptions, 'signal' | 'durable' | 'background' | 'isHeld'> = {},
  ): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        work,
        waitMs,
        signal,
        durable,
        background,
        isHeld,
        deadline: performance.now() + waitMs,
        scope: new AsyncResource('PostriderTransaction'),
        waited: false,
        answer: (outcome) => ('value' in outcome ? resolve(outcome.value as T) : reject(outcome.error)),
      });
      this.#schedule();
    });
  }

  /** Takes a named lock for the transaction of `connection`. Undefined if the connection does not belong to this writer. */
  tryLock(connection: SqlConnection, name: string): boolean | undefined {
    const member = this.#members.get(connection);
    if (member === undefined) return undefined;
    const holder = this.#locks.get(name);
    if (holder === undefined) this.#locks.set(name, member);
    return holder === undefined || holder === member;
  }

  /** Resolves when no batch is running. */
  async settled(): Promise<void> {
    while (this.#running) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Resolves when nothing is running or waiting. */
  async drained(): Promise<void> {
    while (this.#running || this.#queue.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Schedules a batch and its end: both callbacks run in one phase of the event loop with only microtasks in between. */
  #schedule(): void {
    if (this.#scheduled || this.#running) return;
    this.#scheduled = true;
    setImmediate(() => this.#start());
    setImmediate(() => this.#interrupt());
  }

  #start(): void {
    this.#scheduled = false;
    this.#dropLate();
    if (this.#queue.length > 0) this.#begin();
    for (const member of this.#queue) member.waited = true;
    if (this.#queue.length === 0) this.#wakeIdle();
  }

  /** The members of the next batch. While there is other work, only every second batch contains background work. */
  #nextMembers(): readonly Member[] {
    const ready = this.#queue.filter(({ isHeld }) => isHeld?.() !== true);
    const foreground = ready.filter(({ background }) => !background);
    const mayPostpone = foreground.length > 0 && !this.#postponed;
    return (mayPostpone ? foreground : ready).slice(0, batchMembers);
  }

  #begin(): void {
    const members = this.#nextMembers();
    if (members.length === 0) {
      this.#askAgain();
      return;
    }
    try {
      const durable = members.some((member) => member.durable);
      if (!this.#session.begin(members.length > 1, durable)) {
        this.#waitForWriter();
        return;
      }
    } catch (error) {
      for (const member of this.#queue.splice(0)) member.answer({ error });
      return;
    }
    this.#pauseMs = 1;
    this.#running = true;
    this.#cut = false;
    const rest = this.#queue.splice(0).filter((member) => !members.includes(member));
    this.#queue.push(...rest);
    this.#postponed = rest.some(({ background }) => background) && !members.some(({ background }) => background);
    void this.#run(members);
  }

  /** A member that is still pending here has awaited a result of the event loop, which cannot arrive during a batch. */
  #interrupt(): void {
    if (!this.#running) return;
    this.#cut = true;
    this.#abandon?.();
  }

  /** Called if only held transactions are waiting. Transactions that arrive meanwhile begin without this pause. */
  #askAgain(): void {
    this.#asking ??= setTimeout(() => {
      this.#asking = undefined;
      this.#schedule();
    }, heldPauseMs);
  }

  #waitForWriter(): void {
    const nearest = this.#queue.reduce((min, { deadline }) => Math.min(min, deadline), Infinity) - performance.now();
    this.#scheduled = true;
    setTimeout(
      () => {
        this.#scheduled = false;
        this.#schedule();
      },
      Math.max(0, Math.min(this.#pauseMs, nearest)),
    );
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
  }

  #dropLate(): void {
    const now = performance.now();
    for (const member of this.#queue.splice(0)) {
      if (member.signal?.aborted) member.answer({ error: member.signal.reason });
      else if (member.waited && member.deadline <= now) member.answer({ error: waitedTooLong(member.waitMs) });
      else this.#queue.push(member);
    }
  }

  async #run(members: readonly Member[]): Promise<void> {
    const deadline = performance.now() + (members.some(({ background }) => background) ? backgroundMs : batchMs);
    const ended: Member[] = [];
    let failure: unknown;
    try {
      for (const member of members) {
        if (ended.length > 0 && (this.#cut || performance.now() > deadline)) break;
        ended.push(member);
        await this.#runMember(member, members.length > 1);
        if (!this.#session.handle.inTransaction) break;
      }
    } catch (error) {
      failure = sqliteFault(error);
    }
    this.#queue.unshift(...members.slice(ended.length));
    failure = this.#end(ended, failure);
    this.#running = false;
    this.#answer(ended, failure);
    if (this.#queue.length > 0) this.#schedule();
    this.#wakeIdle();
  }

  async #runMember(member: Member, shared: boolean): Promise<void> {
    if (shared) this.#session.savepoint('open');
    const connection = new SqliteConnection((statement) => this.#statements.execute(statement, 'write'));
    this.#members.set(connection, member);
    const result = await new Promise<Outcome>((resolve) => {
      this.#abandon = () => resolve({ error: awaitedOutside() });
      invoke(member, connection).then(
        (value) => resolve({ value }),
        (error: unknown) => resolve({ error }),
      );
    });
    this.#abandon = undefined;
    connection.revoke();
    member.outcome = result;
    if (shared && this.#session.handle.inTransaction) this.#session.savepoint('value' in result ? 'keep' : 'undo');
  }

  /** Commits or rolls back. Returns the reason if nothing was stored. */
  #end(members: readonly Member[], failure: unknown): unknown {
    const succeeded = members.some(({ outcome }) => outcome !== undefined && 'value' in outcome);
    const lost = !this.#session.handle.inTransaction;
    try {
      if (succeeded && !lost && failure === undefined) this.#session.commit();
      else this.#session.rollback();
      return failure ?? (lost ? rolledBackFault(members.at(-1)?.outcome) : undefined);
    } catch (error) {
      return failure ?? error;
    }
  }

  #answer(members: readonly Member[], failure: unknown): void {
    for (const [name, member] of this.#locks) if (members.includes(member)) this.#locks.delete(name);
    for (const { outcome, answer } of members) {
      if (outcome !== undefined && 'error' in outcome) answer(outcome);
      else answer(failure === undefined && outcome !== undefined ? outcome : { error: failure });
    }
  }

  #wakeIdle(): void {
    for (const wake of this.#idle.splice(0)) wake();
  }
}

async function invoke(member: Member, connection: SqlConnection): Promise<unknown> {
  return member.scope.runInAsyncScope(member.work, undefined, connection);
}

function waitedTooLong(waitMs: number): StorageError {
  return new StorageError(
    'busy',
    `The SQLite database was not free to write for ${waitMs} ms. Nothing was run or stored: try again.`,
  );
}

function awaitedOutside(): StorageError {
  return new StorageError(
    'handler_awaited_outside',
    'The work awaited something other than its own database connection, so its transaction was rolled back. Do timers, network and files before the transaction (in prepare) or after it (in a job).',
  );
}

/** On a full disk or an I/O error, SQLite itself rolls back the whole transaction, and all members are lost. */
function rolledBackFault(last: Outcome | undefined): StorageError {
  const cause = last !== undefined && 'error' in last ? last.error : undefined;
  const message = 'SQLite rolled back the transaction, so nothing of it was stored';
  if (!isStorageError(cause)) return new StorageError('other', `${message}.`, { cause });
  return new StorageError(cause.fault, `${message}: ${cause.message}`, { cause });
}
