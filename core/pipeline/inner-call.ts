// Runs one operation inside an open transaction of a job, a subscriber or another operation. The call has the same checks,
// records and effects as any other call. It runs in a savepoint and as the service itself: no scope is checked. Called by the
// kernel's typed calls (inner-calls.ts).
import { coreErrors } from '../contract/core-errors.ts';
import type { Operation } from '../contract/operation.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { Actor } from '../contract/workspace.ts';
import { oneSide } from '../storage/scope.ts';
import type { OperationCall } from './call.ts';
import type { CallPlace } from './call-place.ts';
import type { Core } from './core.ts';
import { assertLive, runInTransaction, validateCall } from './execute.ts';
import { createReadContext } from './operation-context.ts';
import { refuse } from './refusals.ts';
import { type RawInput, serialiseOutput } from './validate.ts';

/** The operation to call and its input. */
export interface InnerCall {
  readonly operation: Operation;
  readonly input: RawInput;
  readonly idempotencyKey: string | undefined;
  /** (Default: the actor of the transaction) */
  readonly actor: Actor | undefined;
}

/** Whether the fault ends the whole transaction, or may pass if the transaction runs again: such a fault is not the call's. */
const isOfTheTransaction = (error: unknown): boolean =>
  isStorageError(error) && error.fault !== 'unique' && error.fault !== 'other';

async function run(core: Core, place: CallPlace, call: OperationCall): Promise<unknown> {
  const { operation } = call;
  const validated = validateCall(core, call, await call.input(), place.now);
  if (operation.idempotency === 'read') {
    const context = createReadContext(
      core,
      validated.details,
      place.scope.handle(oneSide(place.workspace.id, place.sandbox)),
    );
    return serialiseOutput(operation, await operation.handler(context, validated.input, undefined)).value;
  }
  // Only the surrounding transaction may write its last flush together with the commit.
  const scope = { ...place.scope, flushLast: place.scope.flush };
  const running = { ...validated, prepared: undefined, lease: undefined };
  const { result, effects } = await runInTransaction(running, scope, place);
  if (effects !== undefined) place.absorb(effects.outcome());
  return result.replayed ? JSON.parse(result.json) : result.value;
}

/**
 * Returns the checked output.
 * @throws PostriderError if the call was refused or failed: it is rolled back, and the transaction can go on. StorageError if
 * the transaction itself cannot go on
 */
export async function callInside(core: Core, place: CallPlace, inner: InnerCall): Promise<unknown> {
  const { operation, input, idempotencyKey } = inner;
  const { workspace, sandbox, scopes } = place;
  const requestId = place.requestId();
  assertLive(operation, { sandbox, workspace });
  if (operation.prepared) {
    throw coreErrors.state_conflict({
      reason: `${operation.id} does work outside a transaction first and cannot be called inside one.`,
    });
  }
  const call: OperationCall = {
    operation,
    admission: { workspace, actor: inner.actor ?? place.actor, scopes, sandbox, headers: {} },
    requestId,
    input: () => input,
    idempotencyKey,
    dryRun: false,
    foreign: undefined,
    signal: undefined,
  };
  const attempt = () => place.scope.savepoint(() => run(core, place, call));
  return place.inTurn(async () => {
    try {
      if (workspace.suspended && !operation.allowWhenSuspended) throw coreErrors.workspace_suspended();
      return await attempt().catch(async (error: unknown) => {
        const { prefix } = await core.database();
        // Another request stored an answer for this key meanwhile: the next look-up finds it.
        if (!isStorageError(error, 'unique') || error.table !== `${prefix}idempotency`) throw error;
        return attempt();
      });
    } catch (error) {
      if (isOfTheTransaction(error)) throw error;
      throw refuse(core, { requestId, operation: operation.id }, error);
    }
  });
}
