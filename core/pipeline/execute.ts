// Runs every call from every interface: checks the call (check-call.ts), runs it by a strategy (call-strategies.ts) and
// returns its result. Authentication and rate limits come before (admit.ts).
import { coreErrors } from '../contract/errors/core-errors.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import { authorize } from './authorize.ts';
import type { CallResult, OperationCall, PendingCallResult } from './call.ts';
import { withCallSlot } from './call-slots.ts';
import { runCall } from './call-strategies.ts';
import { replayOf } from './call-transaction.ts';
import { type ValidatedCall, validateCall } from './check-call.ts';
import type { Core } from './core.ts';
import { findStoredResponse } from './idempotency.ts';
import { createPrepareContext } from './operation-context.ts';
import { databaseResponded, refuse } from './refusals.ts';
import { loadRepresentation } from './representations.ts';

/** Runs the call. If another call stored an answer for the same key between the look-up and the insert, runs it once more. */
async function runCallRetryingKeyRace(validated: ValidatedCall): Promise<PendingCallResult> {
  try {
    return await runCall(validated);
  } catch (error) {
    const { prefix } = await validated.core.database();
    if (!isStorageError(error, 'unique') || error.table !== `${prefix}idempotency`) throw error;
    return runCall(validated);
  }
}

/** The stored answer, for a call that finds no free slot; undefined if there is none, or in a transaction of the program. */
async function findReplay({ core, call, details, idempotent }: ValidatedCall): Promise<PendingCallResult | undefined> {
  if (idempotent === undefined || call.programTransaction !== undefined) return undefined;
  const database = await core.database();
  const stored = await database.read(idempotent.workspaceId, (handle) =>
    findStoredResponse(core, handle, idempotent, details.now),
  );
  return stored === undefined ? undefined : replayOf(stored);
}

/** Runs a validated call. Bulk jobs of this process begin nothing new meanwhile. */
async function runBeforeBulk(core: Core, validated: ValidatedCall): Promise<PendingCallResult> {
  const { operation, admission } = validated.call;
  const end = core.precedence.begin();
  try {
    return await withCallSlot(
      core,
      operation,
      admission.workspace.id,
      () => runCallRetryingKeyRace(validated),
      () => findReplay(validated),
    );
  } finally {
    end();
  }
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
    authorize(core.registry, call.operation, call.admission);
    const validated = validateCall(core, call, await call.input(), core.ports.now());
    core.ports.phase('request.validated', requestId);
    const result = await runBeforeBulk(core, validated);
    core.ports.phase('answer.ready', requestId);
    databaseResponded(core, call.operation.idempotency !== 'read');
    const { bytes } = result;
    if (bytes === undefined) return result;
    const representation = await loadRepresentation(call.operation, bytes, () =>
      createPrepareContext(core, validated.details),
    );
    return { ...result, representation };
  } catch (error) {
    // A caller that has disconnected while the call waited gets request_timeout, which is not logged.
    const disconnected = call.signal?.aborted === true && error === call.signal.reason;
    const cause = disconnected ? coreErrors.request_timeout({ seconds: call.operation.timeoutSeconds }) : error;
    throw refuse(core, { requestId: call.requestId, operation: call.operation.id }, cause);
  }
}
