// Runs one operation inside an open transaction of a job, a subscriber or another operation. The call has the same checks,
// records and effects as any other call. It runs in a savepoint and as the service itself: no scope is checked. Called by the
// kernel's typed calls (inner-calls.ts).

import type { Actor } from '../contract/context/workspace.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import { oneSide } from '../storage/scope.ts';
import { assertLive } from './authorize.ts';
import type { OperationCall } from './call.ts';
import { runInTransaction } from './call-transaction.ts';
import { validateCall } from './check-call.ts';
import type { Core } from './core.ts';
import type { InnerCallContext } from './inner-call-context.ts';
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

/**
 * Whether the fault concerns the whole transaction and not this call: it ends the transaction, or may not recur if the
 * transaction runs again.
 */
const isTransactionFault = (error: unknown): boolean =>
  isStorageError(error) && error.fault !== 'unique' && error.fault !== 'other';

async function run(core: Core, innerContext: InnerCallContext, call: OperationCall): Promise<unknown> {
  const { operation } = call;
  const validated = validateCall(core, call, await call.input(), innerContext.now);
  if (operation.idempotency === 'read') {
    const context = createReadContext(
      core,
      validated.details,
      innerContext.scope.handle(oneSide(innerContext.workspace.id, innerContext.sandbox)),
    );
    return serialiseOutput(operation, await operation.handler(context, validated.input, undefined)).value;
  }
  // Only the surrounding transaction may write its last flush together with the commit.
  const scope = { ...innerContext.scope, flushLast: innerContext.scope.flush };
  const runnable = { ...validated, prepared: undefined, reservation: undefined };
  const { result, effects } = await runInTransaction(runnable, scope, innerContext);
  if (effects !== undefined) innerContext.absorb(effects.result());
  return result.replayed ? JSON.parse(result.json) : result.value;
}

/**
 * Returns the checked output.
 * @throws PostriderError if the call was refused or failed: it is rolled back, and the transaction can go on. StorageError if
 * the transaction itself cannot go on
 */
export async function callInside(core: Core, context: InnerCallContext, inner: InnerCall): Promise<unknown> {
  const { operation, input, idempotencyKey } = inner;
  const { workspace, sandbox, scopes } = context;
  const requestId = context.requestId();
  assertLive(operation, { sandbox, workspace });
  if (operation.prepared) {
    throw coreErrors.state_conflict({
      reason: `${operation.id} does work outside a transaction first and cannot be called inside one.`,
    });
  }
  const call: OperationCall = {
    operation,
    admission: { workspace, actor: inner.actor ?? context.actor, scopes, sandbox, headers: {} },
    requestId,
    input: () => input,
    idempotencyKey,
    dryRun: false,
    programTransaction: undefined,
    signal: undefined,
  };
  const attempt = () => context.scope.savepoint(() => run(core, context, call));
  return context.inTurn(async () => {
    try {
      if (workspace.suspended && !operation.allowWhenSuspended) throw coreErrors.workspace_suspended();
      return await attempt().catch(async (error: unknown) => {
        const { prefix } = await core.database();
        // Another request stored an answer for this key meanwhile: the next look-up finds it.
        if (!isStorageError(error, 'unique') || error.table !== `${prefix}idempotency`) throw error;
        return attempt();
      });
    } catch (error) {
      if (isTransactionFault(error)) throw error;
      throw refuse(core, { requestId, operation: operation.id }, error);
    }
  });
}
