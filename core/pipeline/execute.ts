// Runs every call from every interface: scope, validation, idempotency, preparation, transaction, answer. Authentication and
// rate limits come before it (admit.ts).
import { setTimeout } from 'node:timers/promises';
import { coreErrors } from '../contract/core-errors.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { Operation } from '../contract/operation.ts';
import type { OperationInput } from '../contract/operation-spec.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import { jsonType } from '../contract/representation.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { type HandleScope, oneSide } from '../storage/scope.ts';
import type { Admission } from './admit.ts';
import { inPlace, takePlace } from './at-once.ts';
import type { CallResult, OperationCall, Outcome } from './call.ts';
import { type CallEffects, createEffects } from './call-effects.ts';
import type { CallPlace } from './call-place.ts';
import type { Core } from './core.ts';
import { fingerprint } from './fingerprint.ts';
import {
  checkKey,
  claimKey,
  dropLease,
  findAnswer,
  type IdempotentCall,
  type Lease,
  type StoredAnswer,
  storeAnswer,
  storeUnderLease,
  takeLease,
} from './idempotency.ts';
import {
  type CallDetails,
  createOperationContext,
  createPrepareContext,
  createReadContext,
} from './operation-context.ts';
import { readContextOf } from './read-context.ts';
import { databaseAnswered, refuse } from './refusals.ts';
import { chooseType, loadRepresentation, represent } from './representations.ts';
import { scopeRefusal } from './scope-refusal.ts';
import { mayCall } from './scopes.ts';
import { untilAborted, withinTime } from './time-limit.ts';
import { type RawInput, serialiseOutput, validateInput } from './validate.ts';

/** Thrown inside a transaction to roll back a dry run. */
class DryRunEnded {
  readonly result: Outcome;
  constructor(result: Outcome) {
    this.result = result;
  }
}

const replayOf = (stored: StoredAnswer): Outcome => ({
  ...stored,
  value: undefined,
  replayed: true,
  report: undefined,
  represented: undefined,
});

/**
 * Refuses a sandbox call of a live-only operation. Workspaces on the sandbox plan have no live side, so they pass.
 * @throws live_key_required
 */
export function assertLive({ liveOnly }: Operation, on: Pick<Admission, 'sandbox' | 'workspace'>): void {
  if (liveOnly && on.sandbox && on.workspace.plan.name !== 'sandbox') throw coreErrors.live_key_required();
}

function authorize({ registry }: Core, { operation, admission }: OperationCall): void {
  const { scopes } = admission;
  if (scopes !== undefined && !mayCall(operation, scopes)) throw scopeRefusal(registry, operation, scopes);
  assertLive(operation, admission);
  if (admission.workspace.suspended && !operation.allowWhenSuspended) throw coreErrors.workspace_suspended();
}

/** The workspace and side that the call may reach. */
const reachOf = ({ workspace, sandbox }: CallDetails): HandleScope => oneSide(workspace.id, sandbox);

/** The signal for callers that cannot disconnect. */
const never = new AbortController().signal;

/** A validated call and the parts that it needs. */
interface Execution {
  readonly core: Core;
  readonly database: Database;
  readonly call: OperationCall;
  readonly details: CallDetails;
  readonly input: OperationInput;
  /** The input as it was sent. */
  readonly raw: RawInput;
  readonly idempotent: IdempotentCall | undefined;
}

/** Runs `prepare`, outside any transaction. */
function prepareOutside({ core, call, details, input }: Execution): Promise<unknown> {
  const { operation, approvedRequest } = call;
  return untilAborted(operation.timeoutSeconds, call.signal, (signal) =>
    operation.prepare(createPrepareContext(core, { ...details, signal, approvedRequest }), input),
  );
}

async function runRead(execution: Execution): Promise<Outcome> {
  const { core, database, call, details, input } = execution;
  const { operation, foreign } = call;
  const prepared = operation.prepared ? await prepareOutside(execution) : await computeBefore(execution);
  const work = async (handle: WorkspaceHandle): Promise<Outcome> => {
    const context = createReadContext(core, details, handle);
    return withinTime(operation.timeoutSeconds, async () => {
      const answer = serialiseOutput(operation, await operation.handler(context, input, prepared));
      const answered = await represent(operation, context, { output: answer.value, input, prepared });
      return { ...answer, answered, replayed: false, report: undefined, represented: undefined };
    });
  };
  if (foreign !== undefined) return database.transactIn(foreign, (scope) => work(scope.handle(reachOf(details))));
  return database.read(reachOf(details), work);
}

/** The input of one transaction of a call. */
interface Commit extends Execution {
  /** The result of `prepare`; undefined for operations without it. */
  readonly prepared: unknown;
  /** The lease of a prepared call that has an idempotency key. */
  readonly lease: Lease | undefined;
  /** The time limit of the transaction. */
  readonly seconds: number;
}

/** Runs the handler and writes its effects. `inner`: the surrounding transaction, if the call runs inside one. */
export async function runInTransaction(
  { core, call, details, input, raw, idempotent, prepared, lease }: Omit<Commit, 'database' | 'seconds'>,
  scope: TransactionScope,
  inner?: CallPlace,
): Promise<{ result: Outcome; effects?: CallEffects }> {
  const { operation } = call;
  core.ports.phase('transaction.begun', details.requestId);
  const { workspace, now, sandbox, actor, scopes, requestId, idempotencyKey } = details;
  // Sent before the queries of `readInside`, so the database completes it before them.
  const claim = idempotent !== undefined && lease === undefined ? claimKey(core, scope, idempotent, now) : undefined;
  const reading = operation.readInside?.(readContextOf(core, scope.handle(reachOf(details)), now), input);
  // The handler throws this error when it awaits `reading`. If the handler ends earlier, the rejection must not stay unhandled.
  reading?.catch(() => undefined);
  if (claim !== undefined) {
    // A transaction must not end while something still reads in it.
    if (reading !== undefined) await Promise.allSettled([claim, reading]);
    const stored = await claim;
    if (stored !== undefined) return { result: replayOf(stored) };
  }
  await takePlace(operation, workspace.id, scope);
  const caller = { actor, scopes, requestId, idempotencyKey };
  const dryRun = inner?.dryRun ?? details.dryRun;
  const effects = createEffects({ core, scope, workspace, now, sandbox, dryRun, operation, ...caller, inner });
  const { approvedRequest } = call;
  const context = createOperationContext(core, details, effects, { operation, raw, approvedRequest });
  const { status, value, json } = serialiseOutput(
    operation,
    await operation.handler(context.value, input, prepared, reading),
  );
  const answered = await represent(operation, context.value, { output: value, input, prepared });
  core.ports.phase('handler.done', details.requestId);
  if (operation.audit !== undefined) {
    const { action: usual, target } = operation.audit;
    const action = status === operation.status ? usual : (operation.alsoSucceeds?.auditAction ?? usual);
    effects.audit(action, target(value as never, input as never), context.notes());
  }
  const answer = { status, json, answered };
  if (idempotent !== undefined && lease === undefined)
    await storeAnswer(core, scope, { operation, call: idempotent, answer, now: details.now });
  if (scope.joined && effects.recorded.jobs.some((job) => job.due)) await scope.notify('jobs');
  if (lease === undefined && !details.dryRun) await scope.flushLast();
  else await scope.flush();
  if (idempotent !== undefined && lease !== undefined) {
    await storeUnderLease(core, scope, { operation, call: idempotent, answer, now: core.ports.now() }, lease);
  }
  core.ports.phase('transaction.flushed', details.requestId);
  const result: Outcome = { ...answer, value, replayed: false, report: undefined, represented: undefined };
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

async function commit(options: Commit): Promise<Outcome> {
  const { core, database, call, details, seconds } = options;
  const { foreign, signal } = call;
  const work = (scope: TransactionScope) => withinTime(seconds, () => runInTransaction(options, scope));
  try {
    const { result, effects } =
      foreign === undefined
        ? await database.transact(work, signal === undefined ? {} : { signal })
        : await database.transactIn(foreign, work);
    core.ports.phase('transaction.committed', details.requestId);
    effects?.committed(foreign !== undefined);
    return result;
  } catch (error) {
    if (error instanceof DryRunEnded) return error.result;
    throw error;
  }
}

/** The rest of the operation's time limit in whole seconds, at least one. */
const secondsLeft = ({ operation }: OperationCall, began: number): number =>
  Math.max(1, Math.ceil(operation.timeoutSeconds - (performance.now() - began) / 1_000));

const maxRetries = 3;
/** Retries wait for a random time, so that two conflicting calls do not conflict again. */
const maxPauseMs = 20;

/** Whether another transaction caused this failure, and certainly nothing was stored. */
const isConflict = (error: unknown): boolean =>
  (isStorageError(error, 'unique') || isStorageError(error, 'deadlock')) && !error.outcomeUnknown;

/** Runs the operation's `computeBefore`. Undefined if it has none, or if the call joins an open transaction of the program. */
function computeBefore({ core, call, details, input }: Execution): Promise<unknown> | undefined {
  const { operation, foreign, signal } = call;
  const compute = operation.computeBefore;
  if (compute === undefined || foreign !== undefined) return undefined;
  return untilAborted(operation.timeoutSeconds, signal, (limited) =>
    compute(createPrepareContext(core, { ...details, signal: limited }), input),
  );
}

/** Every attempt is a separate transaction with its own key look-up and its own reservations. */
async function commitWithRetries(execution: Execution): Promise<Outcome> {
  const { call } = execution;
  const began = performance.now();
  for (let retries = 0; ; retries += 1) {
    try {
      return await commit({ ...execution, prepared: undefined, lease: undefined, seconds: secondsLeft(call, began) });
    } catch (error) {
      if (retries === maxRetries || !isConflict(error)) throw error;
      await setTimeout(Math.random() * maxPauseMs * (retries + 1));
      if (call.signal?.aborted === true) throw error;
    }
  }
}

async function runPrepared(execution: Execution): Promise<Outcome> {
  const { core, database, call, details, idempotent } = execution;
  const claim = idempotent === undefined ? undefined : await takeLease(core, database, idempotent);
  if (claim !== undefined && 'json' in claim) return replayOf(claim);
  const began = performance.now();
  try {
    const prepared = await prepareOutside(execution);
    // One time limit for both parts.
    return await commit({ ...execution, prepared, lease: claim, seconds: secondsLeft(call, began) });
  } catch (error) {
    if (idempotent !== undefined && claim !== undefined) {
      await dropLease(database, idempotent, claim).catch((cause: unknown) =>
        core.log.warn(
          { request_id: details.requestId, cause: String(cause) },
          'an idempotency lease could not be dropped; it ends by itself',
        ),
      );
    }
    throw error;
  } finally {
    claim?.end();
  }
}

async function attempt(validated: Omit<Execution, 'database'>): Promise<Outcome> {
  const { core, call } = validated;
  const { operation } = call;
  const execution = { ...validated, database: await core.database() };
  if (operation.idempotency === 'read') return runRead(execution);
  if (operation.prepared) return runPrepared(execution);
  if (operation.retryOnConflict && call.foreign === undefined) return commitWithRetries(execution);
  const began = performance.now();
  const prepared = await computeBefore(execution);
  return commit({ ...execution, prepared, lease: undefined, seconds: secondsLeft(call, began) });
}

/** Tries once more if another call stored an answer for the same key between our look-up and our insert. */
async function attemptTwice(validated: Omit<Execution, 'database'>): Promise<Outcome> {
  try {
    return await attempt(validated);
  } catch (error) {
    const { prefix } = await validated.core.database();
    if (!isStorageError(error, 'unique') || error.table !== `${prefix}idempotency`) throw error;
    return attempt(validated);
  }
}

/** The stored answer of a call that may not run now, or undefined. Always undefined in a transaction of the program. */
async function replayOnly({
  core,
  call,
  details,
  idempotent,
}: Omit<Execution, 'database'>): Promise<Outcome | undefined> {
  if (idempotent === undefined || call.foreign !== undefined) return undefined;
  const database = await core.database();
  const stored = await database.read(idempotent.workspaceId, (handle) =>
    findAnswer(core, handle, idempotent, details.now),
  );
  return stored === undefined ? undefined : replayOf(stored);
}

/**
 * The fingerprint of the request as sent, before the schema adds defaults: a new default must not break a retry. Sandbox and
 * live calls have different fingerprints: a sandbox answer must never be replayed for a live send.
 */
function fingerprintOf({ operation, admission, ifMatch }: OperationCall, raw: RawInput, type: string): string {
  const body = raw.body === undefined && operation.input.body ? {} : raw.body;
  const representation = type === jsonType ? undefined : type;
  const sent = fingerprint({ ...raw, body, representation, ifMatch });
  return admission.sandbox ? `sandbox ${sent}` : sent;
}

/**
 * Whether the plan requires an idempotency key. Never for the embedding program, because it has its own transactions; for a dry
 * run, because it stores nothing; or for an approved call, because it runs only once.
 */
function mustHaveKey({ operation: { keyRequiredFromTier }, admission, ...call }: OperationCall): boolean {
  if (keyRequiredFromTier === undefined || call.dryRun || admission.scopes === undefined) return false;
  if (call.approvedRequest !== undefined) return false;
  const { tier, keyOptional } = admission.workspace.plan;
  return tier >= keyRequiredFromTier && !keyOptional;
}

/** The validated call for its handler. @throws validation_failed, idempotency_key_invalid */
export function validateCall(core: Core, call: OperationCall, raw: RawInput, now: number): Omit<Execution, 'database'> {
  const { operation, admission, requestId } = call;
  const input = validateInput(operation, raw);
  const representation = chooseType(operation, input, call.choose);
  const mutating = operation.idempotency !== 'read';
  const key = mutating ? call.idempotencyKey : undefined;
  if (mutating) checkKey(key, mustHaveKey(call));
  const idempotent: IdempotentCall | undefined =
    key === undefined || call.dryRun || operation.idempotency !== 'replay'
      ? undefined
      : {
          workspaceId: admission.workspace.id,
          endpoint: `${operation.method} ${operation.path}`,
          key,
          fingerprint: fingerprintOf(call, raw, representation),
          sandbox: admission.sandbox,
        };
  const details: CallDetails = {
    workspace: admission.workspace,
    actor: admission.actor,
    scopes: admission.scopes,
    sandbox: admission.sandbox,
    requestId,
    now,
    dryRun: call.dryRun && mutating,
    idempotencyKey: key,
    representation,
    ifMatch: call.ifMatch,
    signal: call.signal ?? never,
  };
  return { core, call, details, input, raw, idempotent };
}

/** Runs one call. @throws PostriderError, with the request id set */
export function execute(core: Core, call: OperationCall): Promise<CallResult> {
  if (!core.telemetry.isOn()) return run(core, call);
  const { operation, requestId, admission } = call;
  const labels = { 'postrider.operation.name': operation.id };
  const ids = { 'postrider.request.id': requestId, 'postrider.workspace.id': admission.workspace.id };
  return core.telemetry.measure({ name: operation.id, kind: 'INTERNAL', instrument: 'calls', labels, ids }, () =>
    run(core, call),
  );
}

async function run(core: Core, call: OperationCall): Promise<CallResult> {
  try {
    const { requestId } = call;
    core.ports.phase('request.received', requestId);
    authorize(core, call);
    const validated = validateCall(core, call, await call.input(), core.ports.now());
    core.ports.phase('request.validated', requestId);
    const { operation, admission } = call;
    const result = await inPlace(
      core,
      operation,
      admission.workspace.id,
      () => attemptTwice(validated),
      () => replayOnly(validated),
    );
    core.ports.phase('answer.ready', requestId);
    databaseAnswered(core, call.operation.idempotency !== 'read');
    const { answered } = result;
    if (answered === undefined) return result;
    const represented = await loadRepresentation(call.operation, answered, () =>
      createPrepareContext(core, validated.details),
    );
    return { ...result, represented };
  } catch (error) {
    // If the caller has disconnected while the call waited, no error is logged.
    const gone = call.signal?.aborted === true && error === call.signal.reason;
    const cause = gone ? coreErrors.request_timeout({ seconds: call.operation.timeoutSeconds }) : error;
    throw refuse(core, { requestId: call.requestId, operation: call.operation.id }, cause);
  }
}
