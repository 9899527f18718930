// The transactions of leashed keys: one after another in each process, and counted before the handler runs. Called by
// execute.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { OperationInput } from '../contract/declaration/operation-spec.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { oneSide } from '../storage/scope.ts';
import type { OperationCall } from './call.ts';
import type { Core } from './core.ts';
import { countCall, type LeashedCall } from './leash.ts';
import type { CallDetails } from './operation-context.ts';
import { readContextOf } from './read-context.ts';

/** A call, and its running reads in the transaction. */
interface CallInTransaction {
  readonly call: Pick<OperationCall, 'operation' | 'approvedRequest'>;
  readonly details: CallDetails;
  readonly input: OperationInput;
  readonly reading: Promise<unknown> | undefined;
}

/**
 * Counts a call of a leashed key. If the leash refuses the call, waits for the running reads, because they must end before the
 * transaction.
 * @throws leash_exceeded
 */
export async function countLeashed(
  core: Core,
  { call: { operation, approvedRequest }, details, input, reading }: CallInTransaction,
  scope: TransactionScope,
): Promise<LeashedCall | undefined> {
  const { leash, leashCounter: counter, workspace, sandbox, now } = details;
  if (leash === undefined || counter === undefined) return undefined;
  try {
    return await countCall({
      operation,
      input,
      leash,
      counter,
      reading: readContextOf(core, scope.handle(oneSide(workspace.id, sandbox)), now),
      isApproved: approvedRequest !== undefined,
      canBeHeld: core.registry.callHolder !== undefined,
    });
  } catch (error) {
    await Promise.allSettled([reading]);
    throw error;
  }
}

/** After this time, a call no longer waits for its turn: the lock on the counter decides. */
const maxWaitMs = 5_000;

/** By counter: the end of the last call. */
const lastCalls = new WeakMap<Core, Map<string, Promise<unknown>>>();

/**
 * Runs `work` after the earlier calls with this counter in this process. They would wait for each other at the counter anyway.
 * Here they wait without a connection, so that other calls get a connection. If the database runs one transaction after another,
 * no call waits here.
 */
export async function inLeashTurn<T>(
  core: Core,
  { adapter }: Database,
  { leashCounter: counter }: CallDetails,
  work: () => Promise<T>,
): Promise<T> {
  if (counter === undefined || adapter.capabilities.sharedCommits) return work();
  const turns = lastCalls.get(core) ?? new Map<string, Promise<unknown>>();
  lastCalls.set(core, turns);
  const previousCall = turns.get(counter);
  const run = previousCall === undefined ? work() : waitFor(previousCall).then(work);
  const ended = run
    .catch(() => undefined)
    .finally(() => {
      if (turns.get(counter) === ended) turns.delete(counter);
    });
  turns.set(counter, ended);
  return run;
}

async function waitFor(previousCall: Promise<unknown>): Promise<void> {
  const waitEnded = new AbortController();
  const timeout = pause(maxWaitMs, undefined, { signal: waitEnded.signal }).catch(() => undefined);
  await Promise.race([previousCall, timeout]);
  waitEnded.abort();
}
