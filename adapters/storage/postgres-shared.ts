// Transactions of one turn of the event loop share one transaction of PostgreSQL and its round trips: equal reads
// become one statement, and so do equal inserts at the end. Reads outside of transactions share a connection in the
// same way. Only reads and the inserts of `finishWith` can be shared. Work that does anything else, that is slow, or
// whose shared transaction fails, runs again alone. Called by the Postgres driver.
import { AsyncResource } from 'node:async_hooks';
import {
  isStorageError,
  type SqlConnection,
  type SqlResult,
  type SqlStatement,
  StorageError,
} from '../../core/contract/ports/storage.ts';
import { checkParameters } from '../kit/sql-parameters.ts';
import type { ArrayForms } from './postgres-array-forms.ts';
import { callColumn, isPlainRead } from './postgres-arrays.ts';

type Work<T> = (connection: SqlConnection) => Promise<T>;

/** The largest number of members of one shared transaction. */
const maxMembers = 64;
/**
 * The interval at which a shared transaction is checked, in milliseconds. If no statement was running at two checks in succession,
 * the transaction continues without the members that have not ended.
 */
const quietIntervalMs = 10;
/**
 * The largest size of the last writes of a member, because the last writes of all members are in memory several times
 * while they are sent.
 */
const maxMemberSize = 131_072;
/**
 * Only inserts, because the last writes of all members may become one statement, and one statement changes a row only
 * once: PostgreSQL would silently ignore the second of two updates of a row.
 */
const insert = /^\s*insert\b/i;

/** The functions with which the driver runs work. */
export interface Sharing {
  /** Runs work alone: in a transaction of its own, or with reads on a connection of its own. */
  runAlone<T>(work: Work<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Runs the work of several members, with limits so short that one member cannot delay the others for long. */
  runShared(work: Work<void>): Promise<void>;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

interface Member {
  readonly work: Work<unknown>;
  readonly signal: AbortSignal | undefined;
  /** Keeps the caller's AsyncLocalStorage. */
  readonly scope: AsyncResource;
  readonly answer: (outcome: Outcome | Promise<unknown>) => void;
  /** Undefined if the member must run alone. */
  outcome: Outcome | undefined;
  lastWrites: readonly SqlStatement[];
}

/** Starts shared transactions, and runs alone any work that cannot be shared. */
export class SharedWork {
  readonly #sharing: Sharing;
  readonly #forms: ArrayForms;
  #waiting: Member[] = [];
  #open = 0;

  constructor(sharing: Sharing, forms: ArrayForms) {
    this.#sharing = sharing;
    this.#forms = forms;
  }

  /** Runs the work alone if nothing else is running here, otherwise together with other work of this turn of the event loop. */
  async run<T>(work: Work<T>, signal: AbortSignal | undefined): Promise<T> {
    this.#open += 1;
    try {
      return await (this.#open === 1 ? this.#sharing.runAlone(work, signal) : this.#wait(work, signal));
    } finally {
      this.#open -= 1;
    }
  }

  #wait<T>(work: Work<T>, signal: AbortSignal | undefined): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const answer = (outcome: Outcome | Promise<unknown>): void => {
        if ('then' in outcome) resolve(outcome as Promise<T>);
        else if ('value' in outcome) resolve(outcome.value as T);
        else reject(outcome.error);
      };
      const scope = new AsyncResource('PostriderTransaction');
      this.#waiting.push({ work, signal, scope, answer, outcome: undefined, lastWrites: [] });
      if (this.#waiting.length === 1) setImmediate(() => this.#start());
    });
  }

  #start(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += maxMembers) {
      const members = waiting.slice(from, from + maxMembers);
      if (members.length === 1) for (const member of members) this.#alone(member);
      else void this.#share(members);
    }
  }

  #alone({ work, signal, scope, answer }: Member): void {
    answer(scope.runInAsyncScope(() => this.#sharing.runAlone(work, signal)));
  }

  async #share(members: readonly Member[]): Promise<void> {
    let group: SharedTransaction | undefined;
    let failure: { readonly error: unknown } | undefined;
    try {
      await this.#sharing.runShared((connection) => {
        group = new SharedTransaction(connection, members, this.#forms);
        return group.run();
      });
    } catch (error) {
      failure = { error };
    }
    // If the shared transaction could not begin, another run would fail, too. If the outcome of the commit is unknown, another run could
    // store the result twice. After any other failure, the members run again alone.
    const isFinal = failure !== undefined && (group === undefined || isUnknown(failure.error));
    for (const member of members) {
      if (failure !== undefined) member.outcome = isFinal ? failure : undefined;
      if (member.outcome === undefined) this.#alone(member);
      else member.answer(member.outcome);
    }
    this.#forms.requestTypes();
  }
}

const isUnknown = (error: unknown): boolean => isStorageError(error) && error.outcomeUnknown;

/** A read that a member waits for. */
interface PendingRead {
  readonly member: Member;
  readonly statement: SqlStatement;
  readonly resolve: (result: SqlResult) => void;
  readonly reject: (error: unknown) => void;
}

/** One shared transaction. */
class SharedTransaction {
  readonly #connection: SqlConnection;
  readonly #forms: ArrayForms;
  readonly #members: readonly Member[];
  readonly #locks = new Map<string, { readonly member: Member; readonly taken: Promise<boolean> }>();
  #pendingReads: PendingRead[] = [];
  #unanswered = 0;
  #running = 0;
  #ended = false;
  /** A statement of one or more members has failed. */
  #failure: { readonly error: unknown } | undefined;
  #end = (): void => undefined;

  constructor(connection: SqlConnection, members: readonly Member[], forms: ArrayForms) {
    this.#connection = connection;
    this.#members = members;
    this.#forms = forms;
  }

  /** Runs the members until each has ended or is left behind, and sends their last writes. */
  async run(): Promise<void> {
    await new Promise<void>((resolve) => {
      let wasQuiet = false;
      const timer = setInterval(() => {
        if (this.#unanswered === 0 && wasQuiet) this.#finish();
        wasQuiet = this.#unanswered === 0;
      }, quietIntervalMs);
      this.#end = () => {
        clearInterval(timer);
        resolve();
      };
      this.#running = this.#members.length;
      for (const member of this.#members) void this.#runMember(member);
    });
    if (this.#failure !== undefined) throw this.#failure.error;
    const writes = this.#members.flatMap((member) =>
      member.outcome !== undefined && 'value' in member.outcome
        ? member.lastWrites.map((statement) => ({ member, statement }))
        : [],
    );
    const statements = batchesOf(writes).flatMap(
      (batch) => this.#forms.statementFor(batch) ?? batch.map(({ statement }) => statement),
    );
    if (statements.length === 0) return;
    if (this.#connection.finishWith === undefined) await this.#connection.batch(statements);
    else this.#connection.finishWith(statements);
  }

  async #runMember(member: Member): Promise<void> {
    const { work, signal, scope } = member;
    const connection = new MemberConnection(this, member);
    // A read may run again on its own connection, so nothing of its first run counts.
    member.outcome = undefined;
    member.lastWrites = [];
    let outcome: Outcome;
    try {
      signal?.throwIfAborted();
      outcome = { value: await scope.runInAsyncScope(work, undefined, connection) };
    } catch (error) {
      outcome = { error };
    }
    if (this.#ended) return;
    connection.revoked = true;
    if (!connection.mustRunAlone) member.outcome = outcome;
    this.#running -= 1;
    this.#finishIfDone();
  }

  /** Finishes after the last member and the last statement, because a member may not have awaited all of its statements. */
  #finishIfDone(): void {
    if (this.#running === 0 && this.#unanswered === 0 && !this.#ended) this.#finish();
  }

  #finish(): void {
    this.#ended = true;
    this.#end();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Takes a named lock for one member. The server itself would grant it to all members, because they share a transaction. */
  async tryLock(member: Member, name: string, lock: SqlStatement): Promise<boolean> {
    const holder = this.#locks.get(name);
    if (holder !== undefined) return holder.member === member && holder.taken;
    const lockResult = this.ask(member, lock).then(({ rows }) => rows[0]?.['taken'] === true);
    this.#locks.set(name, { member, taken: lockResult });
    const isTaken = await lockResult;
    if (!isTaken) this.#locks.delete(name);
    return isTaken;
  }

  /** Queues a read, which is sent when all members have run until their next statement. */
  ask(member: Member, statement: SqlStatement): Promise<SqlResult> {
    this.#unanswered += 1;
    return new Promise<SqlResult>((resolve, reject) => {
      this.#pendingReads.push({ member, statement, resolve, reject });
      if (this.#pendingReads.length === 1) process.nextTick(() => this.#send());
    }).finally(() => {
      this.#unanswered -= 1;
      this.#finishIfDone();
    });
  }

  #send(): void {
    const reads = this.#pendingReads;
    this.#pendingReads = [];
    for (const batch of batchesOf(reads)) {
      const arrayStatement = batch.length > 1 ? this.#forms.statementFor(batch) : undefined;
      if (arrayStatement !== undefined) void this.#answer(batch, arrayStatement);
      else for (const call of batch) void this.#answer([call], call.statement);
    }
  }

  /** Runs the statement of one member, or one statement over arrays for several members. */
  async #answer(batch: readonly PendingRead[], statement: SqlStatement): Promise<void> {
    try {
      const result = await this.#connection.query(statement);
      const results = batch.length === 1 ? [result] : resultsByCall(result, batch.length);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? result);
    } catch (error) {
      this.#failure ??= { error };
      for (const { reject } of batch) reject(error);
    }
  }
}

function resultsByCall({ rows, changes }: SqlResult, calls: number): SqlResult[] {
  const rowsByCall = Array.from({ length: calls }, () => [] as Record<string, unknown>[]);
  for (const { [callColumn]: call, ...row } of rows) rowsByCall[Number(call) - 1]?.push(row);
  return rowsByCall.map((callRows) => ({ rows: callRows, changes }));
}

/** The connection of one member. */
export class MemberConnection implements SqlConnection {
  readonly #group: SharedTransaction;
  readonly #member: Member;
  revoked = false;
  /** Whether the member must run alone. */
  mustRunAlone = false;

  constructor(group: SharedTransaction, member: Member) {
    this.#group = group;
    this.#member = member;
  }

  async query(statement: SqlStatement): Promise<SqlResult> {
    this.#assertUsable();
    if (statement.hot !== true || !isPlainRead(statement.sql)) return this.#leave();
    checkParameters(statement);
    return this.#group.ask(this.#member, statement);
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly number[]> {
    return statements.length === 0 ? [] : this.#leave();
  }

  finishWith(statements: readonly SqlStatement[]): void {
    this.#assertUsable();
    for (const statement of statements) checkParameters(statement);
    if (!statements.every(({ sql }) => insert.test(sql)) || sizeOf(statements) > maxMemberSize) this.#leave();
    this.revoked = true;
    this.#member.lastWrites = statements;
  }

  async tryLock(name: string, lock: SqlStatement): Promise<boolean> {
    this.#assertUsable();
    return this.#group.tryLock(this.#member, name, lock);
  }

  #leave(): never {
    this.mustRunAlone = true;
    this.revoked = true;
    throw new StorageError('busy', 'This work cannot share a transaction: it runs again in its own transaction.');
  }

  #assertUsable(): void {
    if (!this.revoked && !this.#group.ended) return;
    throw new StorageError(
      'handle_revoked',
      'This connection was used after its work had left its shared transaction.',
    );
  }
}

/** The approximate number of bytes of the parameters. */
function sizeOf(statements: readonly SqlStatement[]): number {
  let size = 0;
  for (const { parameters } of statements)
    for (const value of parameters) size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  return size;
}

/** Puts statements of several members that have the same text into one batch. The statements of each member stay in their order. */
function batchesOf<S extends { readonly member: Member; readonly statement: SqlStatement }>(
  calls: readonly S[],
): S[][] {
  const batches: S[][] = [];
  const positions = new Map<Member, number>();
  for (const call of calls) {
    let position = (positions.get(call.member) ?? -1) + 1;
    while (position < batches.length && batches[position]?.[0]?.statement.sql !== call.statement.sql) position += 1;
    positions.set(call.member, position);
    const batch = batches[position];
    if (batch === undefined) batches.push([call]);
    else batch.push(call);
  }
  return batches;
}
