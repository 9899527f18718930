// The one way through which every call goes, whatever its door: scope, validation, idempotency, preparation,
// transaction, answer. Authentication and rate limits came before (admit.ts).
import { setTimeout } from 'node:timers/promises';
import type { DryRunReport } from '../contract/api.ts';
import { coreErrors } from '../contract/core-errors.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { Operation, OperationInput } from '../contract/operation.ts';
import type { ForeignTransaction } from '../contract/ports/storage.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import type { Admission } from './admit.ts';
import type { CallEffects } from './call-effects.ts';
import { createEffects } from './call-effects.ts';
import type { Core } from './core.ts';
import { fingerprint } from './fingerprint.ts';
import type { IdempotentCall, Lease, StoredAnswer } from './idempotency.ts';
import { checkKey, dropLease, enter, store, storeUnderLease, takeLease } from './idempotency.ts';
import type { CallFacts } from './operation-context.ts';
import { createOperationContext, createReadContext } from './operation-context.ts';
import { databaseAnswered, refuse } from './refusals.ts';
import type { Holdings } from './reservations.ts';
import { createHoldings } from './reservations.ts';
import { untilAborted, withinTime } from './time-limit.ts';
import type { RawInput } from './validate.ts';
import { serialiseOutput, validateInput } from './validate.ts';

/** A call of one operation by somebody who was let in. */
export interface OperationCall {
  readonly operation: Operation;
  readonly admission: Admission;
  readonly requestId: string;
  /** Read after authentication: a body may be large. */
  readonly input: () => RawInput | Promise<RawInput>;
  readonly idempotencyKey: string | undefined;
  readonly dryRun: boolean;
  readonly foreign: ForeignTransaction | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What came of it. */
export interface CallResult {
  readonly status: number;
  /** The body as it is stored and sent. */
  readonly json: string;
  /** The same as a value; undefined on replays (parse `json`). */
  readonly value: unknown;
  readonly replayed: boolean;
  readonly report: DryRunReport | undefined;
}

/** Thrown through a transaction to roll a dry run back. */
class DryRunEnded {
  readonly result: CallResult;
  constructor(result: CallResult) {
    this.result = result;
  }
}

const replayOf = (stored: StoredAnswer): CallResult => ({
  ...stored,
  value: undefined,
  replayed: true,
  report: undefined,
});

function authorize({ operation, admission }: OperationCall): void {
  const { scopes } = admission;
  if (scopes !== undefined && !operation.anyKey && !operation.scopes.some((scope) => scopes.has(scope))) {
    throw coreErrors.insufficient_scope({ scopes: operation.scopes });
  }
  if (admission.workspace.suspended && !operation.whenSuspended) throw coreErrors.workspace_suspended();
}

/** The signal of a caller that cannot go away. */
const never = new AbortController().signal;

interface Prepared {
  readonly facts: CallFacts;
  readonly input: OperationInput;
  readonly idempotent: IdempotentCall | undefined;
}

/** What `prepare` computes, outside any transaction. */
function prepareOutside(core: Core, database: Database, call: OperationCall, prepared: Prepared): Promise<unknown> {
  const { facts, input } = prepared;
  return untilAborted(call.operation.timeoutSeconds, call.signal, (signal) =>
    call.operation.prepare(
      {
        ...facts,
        services: core.services,
        ports: core.ports,
        log: core.log,
        signal,
        read: (work) => database.read(facts.workspace.id, work),
      },
      input,
    ),
  );
}

async function runRead(core: Core, database: Database, call: OperationCall, prepared: Prepared): Promise<CallResult> {
  const { operation, foreign } = call;
  const { facts, input } = prepared;
  const ready = operation.prepared ? await prepareOutside(core, database, call, prepared) : undefined;
  const work = async (handle: WorkspaceHandle): Promise<CallResult> => {
    const context = createReadContext(core, facts, handle);
    const output = await withinTime(operation.timeoutSeconds, () => operation.handler(context, input, ready));
    return { status: operation.status, ...serialiseOutput(operation, output), replayed: false, report: undefined };
  };
  if (foreign !== undefined) return database.transactIn(foreign, (scope) => work(scope.handle(facts.workspace.id)));
  return database.read(facts.workspace.id, work);
}

interface Running {
  readonly core: Core;
  readonly call: OperationCall;
  readonly prepared: Prepared;
  readonly scope: TransactionScope;
  readonly ready: unknown;
  readonly lease: Lease | undefined;
  readonly holdings: Holdings;
}

async function runInTransaction({
  core,
  call,
  prepared,
  scope,
  ready,
  lease,
  holdings,
}: Running): Promise<{ result: CallResult; effects?: CallEffects }> {
  const { operation } = call;
  const { facts, input, idempotent } = prepared;
  core.ports.phase('transaction.begun', facts.requestId);
  if (idempotent !== undefined && lease === undefined) {
    const stored = await enter(core, scope, idempotent, facts.now);
    if (stored !== undefined) return { result: replayOf(stored) };
  }
  const { workspace, now, sandbox, actor, requestId, idempotencyKey } = facts;
  const effects = createEffects({ core, scope, workspace, now, sandbox, actor, requestId, idempotencyKey });
  const context = createOperationContext(core, facts, effects, holdings);
  const output = await operation.handler(context.value, input, ready);
  const { value, json } = serialiseOutput(operation, output);
  core.ports.phase('handler.done', facts.requestId);
  if (operation.audit !== undefined) {
    const { action, target } = operation.audit;
    effects.audit(action, target(value as never, input as never), context.notes());
  }
  const answer = { status: operation.status, json };
  if (idempotent !== undefined && lease === undefined) store(core, scope, operation, idempotent, answer, facts.now);
  if (scope.joined && effects.recorded.jobs.some((job) => job.due)) await scope.notify('jobs');
  if (lease === undefined && !facts.dryRun) await scope.flushLast();
  else await scope.flush();
  if (idempotent !== undefined && lease !== undefined) {
    await storeUnderLease(core, scope, operation, idempotent, lease, answer, core.ports.now());
  }
  core.ports.phase('transaction.flushed', facts.requestId);
  const result: CallResult = { ...answer, value, replayed: false, report: undefined };
  if (facts.dryRun) {
    const report = {
      credits: context.charged(),
      events: effects.recorded.events,
      jobs: effects.recorded.jobs.map((job) => job.kind),
    };
    throw new DryRunEnded({ ...result, report });
  }
  return { result, effects };
}

async function commit(
  core: Core,
  database: Database,
  call: OperationCall,
  prepared: Prepared,
  ready: unknown,
  lease: Lease | undefined,
  seconds = call.operation.timeoutSeconds,
): Promise<CallResult> {
  const { foreign, signal } = call;
  const holdings = createHoldings();
  const work = (scope: TransactionScope) =>
    withinTime(seconds, () => runInTransaction({ core, call, prepared, scope, ready, lease, holdings }));
  try {
    const { result, effects } =
      foreign === undefined
        ? await database.transact(work, signal === undefined ? {} : { signal })
        : await database.transactIn(foreign, work);
    core.ports.phase('transaction.committed', prepared.facts.requestId);
    effects?.committed(foreign !== undefined);
    return result;
  } catch (error) {
    if (error instanceof DryRunEnded) return error.result;
    throw error;
  } finally {
    holdings.end();
  }
}

const mostReruns = 3;
/** Those that met once start again at different moments. */
const longestPauseMs = 20;

/** Whether somebody else's transaction ended this one, and surely nothing of it was stored. */
const wasOvertaken = (error: unknown): boolean =>
  (isStorageError(error, 'unique') || isStorageError(error, 'deadlock')) && !error.outcomeUnknown;

/** Every run is a transaction of its own, with its own look-up of the key and its own holdings. */
async function commitAgain(core: Core, database: Database, call: OperationCall, prepared: Prepared) {
  const began = performance.now();
  for (let reruns = 0; ; reruns += 1) {
    const left = call.operation.timeoutSeconds - (performance.now() - began) / 1_000;
    try {
      return await commit(core, database, call, prepared, undefined, undefined, Math.max(1, Math.ceil(left)));
    } catch (error) {
      if (reruns === mostReruns || !wasOvertaken(error)) throw error;
      await setTimeout(Math.random() * longestPauseMs * (reruns + 1));
      if (call.signal?.aborted === true) throw error;
    }
  }
}

async function runPrepared(
  core: Core,
  database: Database,
  call: OperationCall,
  prepared: Prepared,
): Promise<CallResult> {
  const { facts, idempotent } = prepared;
  const claim = idempotent === undefined ? undefined : await takeLease(core, database, idempotent);
  if (claim !== undefined && 'json' in claim) return replayOf(claim);
  const began = performance.now();
  try {
    const ready = await prepareOutside(core, database, call, prepared);
    // One time limit for both parts, so that the call is cut off before its lease can lapse.
    const left = call.operation.timeoutSeconds - (performance.now() - began) / 1_000;
    return await commit(core, database, call, prepared, ready, claim, Math.max(1, Math.ceil(left)));
  } catch (error) {
    if (idempotent !== undefined && claim !== undefined) {
      await dropLease(database, idempotent, claim).catch((cause: unknown) =>
        core.log.warn(
          { request_id: facts.requestId, cause: String(cause) },
          'an idempotency lease could not be dropped; it ends by itself',
        ),
      );
    }
    throw error;
  }
}

async function attempt(core: Core, call: OperationCall, prepared: Prepared): Promise<CallResult> {
  const database = await core.database();
  if (call.operation.idempotency === 'read') return runRead(core, database, call, prepared);
  if (call.operation.prepared) return runPrepared(core, database, call, prepared);
  if (call.operation.rerun && call.foreign === undefined) return commitAgain(core, database, call, prepared);
  return commit(core, database, call, prepared, undefined, undefined);
}

/**
 * Of what was sent, not of what the schema made of it: a new default must not break a retry. A sandbox call is another
 * request than a live one: its answer must never be replayed for mail that was to leave.
 */
function fingerprintOf(operation: Operation, { sandbox }: Admission, raw: RawInput): string {
  const sent = fingerprint(raw.body === undefined && operation.input.body ? { ...raw, body: {} } : raw);
  return sandbox ? `sandbox ${sent}` : sent;
}

/** Runs one call. @throws PostriderError, with the request id set */
export async function execute(core: Core, call: OperationCall): Promise<CallResult> {
  try {
    const { operation, admission, requestId } = call;
    core.ports.phase('request.received', requestId);
    authorize(call);
    const raw = await call.input();
    const input = validateInput(operation, raw);
    const mutating = operation.idempotency !== 'read';
    const key = mutating ? call.idempotencyKey : undefined;
    // The embedding program has its own transaction to lean on: no plan demands a key of it.
    if (mutating) checkKey(operation, key, admission.scopes === undefined ? 0 : admission.workspace.plan.tier);
    core.ports.phase('request.validated', requestId);
    const idempotent: IdempotentCall | undefined =
      key === undefined || call.dryRun || operation.idempotency !== 'replay'
        ? undefined
        : {
            workspaceId: admission.workspace.id,
            endpoint: `${operation.method} ${operation.path}`,
            key,
            fingerprint: fingerprintOf(operation, admission, raw),
          };
    const facts: CallFacts = {
      workspace: admission.workspace,
      actor: admission.actor,
      scopes: admission.scopes,
      sandbox: admission.sandbox,
      requestId,
      now: core.ports.now(),
      dryRun: call.dryRun && mutating,
      idempotencyKey: key,
      signal: call.signal ?? never,
    };
    const prepared = { facts, input, idempotent };
    let result: CallResult;
    try {
      result = await attempt(core, call, prepared);
    } catch (error) {
      // Somebody else stored an answer under this key between our look-up and our insert: look again, once.
      const { prefix } = await core.database();
      if (!isStorageError(error, 'unique') || error.table !== `${prefix}idempotency`) throw error;
      result = await attempt(core, call, prepared);
    }
    core.ports.phase('answer.ready', requestId);
    databaseAnswered(core);
    return result;
  } catch (error) {
    // A caller who went away while the call waited is nobody's fault.
    const gone = call.signal?.aborted === true && error === call.signal.reason;
    const cause = gone ? coreErrors.request_timeout({ seconds: call.operation.timeoutSeconds }) : error;
    throw refuse(core, { requestId: call.requestId, operation: call.operation.id }, cause);
  }
}
