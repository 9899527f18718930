// The inside of a call: one transaction with the handler, its effects and the stored answer. Called by call-strategies.ts, which
// commits it, and by inner-call.ts, where the surrounding transaction commits it.
import type { Database, TransactionScope } from '../storage/database.ts';
import { type HandleScope, oneSide } from '../storage/scope.ts';
import type { PendingCallResult } from './call.ts';
import { type CallEffects, createEffects } from './call-effects.ts';
import { takeCallSlot } from './call-slots.ts';
import type { ValidatedCall } from './check-call.ts';
import {
  claimKey,
  type KeyReservation,
  type StoredResponse,
  storeResponse,
  storeUnderReservation,
} from './idempotency.ts';
import type { InnerCallContext } from './inner-call-context.ts';
import { mustBeCounted } from './leash.ts';
import { countLeashed, inLeashTurn } from './leashed-call.ts';
import { notifyDueJobs } from './notify-due-jobs.ts';
import { type CallDetails, createOperationContext } from './operation-context.ts';
import { readContextOf } from './read-context.ts';
import { represent } from './representations.ts';
import { withinTime } from './time-limit.ts';
import { serialiseOutput } from './validate.ts';

/** Thrown inside a transaction to roll back a dry run. */
class DryRunEnded {
  readonly result: PendingCallResult;
  constructor(result: PendingCallResult) {
    this.result = result;
  }
}

/** The result of an earlier call with the same key. */
export const replayOf = (stored: StoredResponse): PendingCallResult => ({
  ...stored,
  value: undefined,
  replayed: true,
  report: undefined,
  representation: undefined,
});

/** The workspace and side that the call may reach. */
export const handleScopeOf = ({ workspace, sandbox }: CallDetails): HandleScope => oneSide(workspace.id, sandbox);

/** The input of one transaction of a call. */
interface Commit extends ValidatedCall {
  readonly database: Database;
  /** The result of `prepare` or `computeBefore`; undefined if the operation has neither. */
  readonly prepared: unknown;
  /** The reservation of a prepared call that has an idempotency key. */
  readonly reservation: KeyReservation | undefined;
  /** The time limit of the transaction. */
  readonly seconds: number;
}

/** Runs the handler and writes its effects. `inner`: the surrounding transaction, if the call runs inside one. */
export async function runInTransaction(
  { core, call, details, input, raw, idempotent, prepared, reservation }: Omit<Commit, 'database' | 'seconds'>,
  scope: TransactionScope,
  inner?: InnerCallContext,
): Promise<{ result: PendingCallResult; effects?: CallEffects }> {
  const { operation } = call;
  core.ports.phase('transaction.begun', details.requestId);
  const { workspace, now, sandbox, actor, scopes, requestId, idempotencyKey } = details;
  // Sent before the queries of `prefetch`, so the database completes it before them.
  const claim =
    idempotent !== undefined && reservation === undefined ? claimKey(core, scope, idempotent, now) : undefined;
  const reading = operation.prefetch?.(readContextOf(core, scope.handle(handleScopeOf(details)), now), input);
  // The handler throws this error when it awaits `reading`. If the handler ends earlier, the rejection must not stay unhandled.
  reading?.catch(() => undefined);
  if (claim !== undefined) {
    // A transaction must not end while something still reads in it.
    if (reading !== undefined) await Promise.allSettled([claim, reading]);
    const stored = await claim;
    if (stored !== undefined) return { result: replayOf(stored) };
  }
  await takeCallSlot(operation, workspace.id, scope);
  const leashed =
    details.leash === undefined ? inner?.leashed : await countLeashed(core, { call, details, input, reading }, scope);
  const caller = { actor, scopes, requestId, idempotencyKey };
  const dryRun = inner?.dryRun ?? details.dryRun;
  const effects = createEffects({ core, scope, workspace, now, sandbox, dryRun, operation, ...caller, inner, leashed });
  const { approvedRequest } = call;
  const heldCallInput = {
    operation,
    raw,
    approvedRequest,
    mustWait: inner === undefined && leashed?.mustWait === true,
  };
  const context = createOperationContext(
    core,
    details,
    effects,
    heldCallInput,
    inner === undefined ? leashed : undefined,
  );
  const { status, value, json } = serialiseOutput(
    operation,
    await operation.handler(context.value, input, prepared, reading),
  );
  const bytes = await represent(operation, context.value, { output: value, input, prepared });
  core.ports.phase('handler.done', details.requestId);
  // A call that waits for a decision counts when it is carried out.
  if (inner === undefined && !context.isWaiting()) leashed?.store();
  if (operation.audit !== undefined) {
    const { action: operationAction, target } = operation.audit;
    const action =
      status === operation.status ? operationAction : (operation.secondSuccess?.auditAction ?? operationAction);
    effects.audit(action, target(value as never, input as never), context.notes());
  }
  const answer = { status, json, bytes };
  if (idempotent !== undefined && reservation === undefined)
    await storeResponse(core, scope, { operation, call: idempotent, answer, now: details.now });
  if (scope.joined) await notifyDueJobs(scope, effects);
  if (reservation === undefined && !details.dryRun) await scope.flushLast();
  else await scope.flush();
  if (idempotent !== undefined && reservation !== undefined) {
    await storeUnderReservation(
      core,
      scope,
      { operation, call: idempotent, answer, now: core.ports.now() },
      reservation,
    );
  }
  core.ports.phase('transaction.flushed', details.requestId);
  const result: PendingCallResult = { ...answer, value, replayed: false, report: undefined, representation: undefined };
  if (details.dryRun) {
    const report = {
      credits: effects.recorded.credits,
      events: effects.recorded.events,
      jobs: effects.recorded.jobs.map((job) => job.kind),
    };
    throw new DryRunEnded({ ...result, report });
  }
  return { result, effects };
}

/** Runs one transaction and commits it. In a transaction of the program, the program commits. */
export async function commit(options: Commit): Promise<PendingCallResult> {
  const { core, database, call, details, seconds } = options;
  const { programTransaction, signal } = call;
  const work = (scope: TransactionScope) => withinTime(seconds, () => runInTransaction(options, scope));
  try {
    // A dry run writes before its end, and a call that counts against a leash locks its counter.
    const mayShare = call.operation.sharesTransaction && !details.dryRun && !mustBeCounted(call);
    const run = () => database.transact(work, { mayShare, ...(signal !== undefined && { signal }) });
    const { result, effects } = await (programTransaction !== undefined
      ? database.transactIn(programTransaction, work)
      : mustBeCounted(call)
        ? inLeashTurn(core, database, details, run)
        : run());
    core.ports.phase('transaction.committed', details.requestId);
    effects?.committed(programTransaction !== undefined);
    return result;
  } catch (error) {
    if (error instanceof DryRunEnded) return error.result;
    throw error;
  }
}
