// The four strategies to run a call. They differ in the work outside, before and inside the transaction. Called by execute.ts.
//   read: `prepare` or `computeBefore`, then the handler, without a transaction
//   prepared: a reservation of the idempotency key, `prepare` outside any transaction, then the transaction
//   repeated: the transaction, again after each conflict
//   ordinary: `computeBefore`, then the transaction
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { Database } from '../storage/database.ts';
import { repeatOnConflict } from '../storage/repeat-on-conflict.ts';
import type { OperationCall, PendingCallResult } from './call.ts';
import { commit, handleScopeOf, replayOf } from './call-transaction.ts';
import type { ValidatedCall } from './check-call.ts';
import { releaseKey, reserveKey } from './idempotency.ts';
import { createPrepareContext, createReadContext } from './operation-context.ts';
import { represent } from './representations.ts';
import { untilAborted, withinTime } from './time-limit.ts';
import { serialiseOutput } from './validate.ts';

/** A validated call, and the database that it uses. */
interface Execution extends ValidatedCall {
  readonly database: Database;
}

/** Runs a validated call by the strategy that its operation declares. */
export async function runCall(validated: ValidatedCall): Promise<PendingCallResult> {
  const { core, call } = validated;
  const { operation } = call;
  const execution = { ...validated, database: await core.database() };
  if (operation.idempotency === 'read') return runRead(execution);
  if (operation.prepared) return runPrepared(execution);
  if (operation.retryOnConflict && call.programTransaction === undefined) return runRepeated(execution);
  return runOrdinary(execution);
}

/** Runs `prepare`, outside any transaction. */
function prepareOutside({ core, call, details, input }: Execution): Promise<unknown> {
  const { operation, approvedRequest } = call;
  return untilAborted(operation.timeoutSeconds, call.signal, (signal) =>
    operation.prepare(createPrepareContext(core, { ...details, signal, approvedRequest }), input),
  );
}

/** Runs the operation's `computeBefore`. Undefined if it has none, or if the call joins an open transaction of the program. */
function computeBefore({ core, call, details, input }: Execution): Promise<unknown> | undefined {
  const { operation, programTransaction, signal } = call;
  const compute = operation.computeBefore;
  if (compute === undefined || programTransaction !== undefined) return undefined;
  return untilAborted(operation.timeoutSeconds, signal, (limitedSignal) =>
    compute(createPrepareContext(core, { ...details, signal: limitedSignal }), input),
  );
}

/** The rest of the operation's time limit in whole seconds, at least one. */
const secondsLeft = ({ operation }: OperationCall, began: number): number =>
  Math.max(1, Math.ceil(operation.timeoutSeconds - (performance.now() - began) / 1_000));

async function runRead(execution: Execution): Promise<PendingCallResult> {
  const { core, database, call, details, input } = execution;
  const { operation, programTransaction } = call;
  const prepared = operation.prepared ? await prepareOutside(execution) : await computeBefore(execution);
  const work = async (handle: WorkspaceHandle): Promise<PendingCallResult> => {
    const context = createReadContext(core, details, handle);
    return withinTime(operation.timeoutSeconds, async () => {
      const response = serialiseOutput(operation, await operation.handler(context, input, prepared));
      const bytes = await represent(operation, context, { output: response.value, input, prepared });
      return { ...response, bytes, replayed: false, report: undefined, representation: undefined };
    });
  };
  if (programTransaction !== undefined)
    return database.transactIn(programTransaction, (scope) => work(scope.handle(handleScopeOf(details))));
  return database.read(handleScopeOf(details), work);
}

async function runPrepared(execution: Execution): Promise<PendingCallResult> {
  const { core, database, call, details, idempotent } = execution;
  const claim = idempotent === undefined ? undefined : await reserveKey(core, database, idempotent);
  if (claim !== undefined && 'json' in claim) return replayOf(claim);
  const began = performance.now();
  try {
    const prepared = await prepareOutside(execution);
    // One time limit for both parts.
    return await commit({ ...execution, prepared, reservation: claim, seconds: secondsLeft(call, began) });
  } catch (error) {
    if (idempotent !== undefined && claim !== undefined) {
      await releaseKey(database, idempotent, claim).catch((cause: unknown) =>
        core.log.warn(
          { request_id: details.requestId, cause: String(cause) },
          'an idempotency reservation could not be released; it expires by itself',
        ),
      );
    }
    throw error;
  } finally {
    claim?.end();
  }
}

/** Every attempt is a separate transaction with its own key look-up and its own reservations. */
function runRepeated(execution: Execution): Promise<PendingCallResult> {
  const { call } = execution;
  const began = performance.now();
  const attempt = () =>
    commit({ ...execution, prepared: undefined, reservation: undefined, seconds: secondsLeft(call, began) });
  return repeatOnConflict(attempt, call.signal);
}

async function runOrdinary(execution: Execution): Promise<PendingCallResult> {
  const began = performance.now();
  const prepared = await computeBefore(execution);
  return commit({ ...execution, prepared, reservation: undefined, seconds: secondsLeft(execution.call, began) });
}
