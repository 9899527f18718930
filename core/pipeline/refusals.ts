// Turns any thrown error into the refusal that callers see; details that callers must not see are logged. Called at the end of
// calls: by execute.ts, by in-process calls, and by the interfaces for faults before the call.
import { coreErrors } from '../contract/errors/core-errors.ts';
import { isPostriderError, type PostriderError } from '../contract/errors/errors.ts';
import { isStorageError, isTransientFault, type StorageFault } from '../contract/ports/storage.ts';
import type { Core } from './core.ts';
import { Outages, perService } from './outages.ts';

/** `refused`: a part of the service cannot work for another reason, and throws its own refusal. */
const outagesOf = perService(() => new Outages<StorageFault | 'refused'>());

/**
 * A pool that is short of connections refuses some calls and serves others, so an outage is over only after this time without a
 * refusal.
 */
const quietMs = 1_000;
/** Longer for a full disk, locks and deadlocks, which affect only some of the writes. */
const quietWritesMs = 5_000;

/**
 * Call this after each answered call. It logs once that an outage is over. `isWrite`: whether the call changes something. A read ends
 * fewer outages, because reads succeed even if the disk is full or the database is locked. Costs one look-up.
 */
export function databaseResponded(core: Core, isWrite: boolean): void {
  const ended = outagesOf(core).takeEnded((fault) => {
    if (fault === 'refused') return undefined;
    return fault === 'unavailable' ? quietMs : isWrite ? quietWritesMs : undefined;
  });
  for (const { kind: fault, failures: refusals, seconds } of ended)
    core.log.warn({ fault, refusals, seconds }, 'the database answers again');
}

/** Returns a refusal unchanged. A fault of the database gets a public message; everything else becomes internal_error. */
export function refusalOf(error: unknown): PostriderError {
  if (isPostriderError(error)) return error;
  if (isStorageError(error, 'unique')) {
    return coreErrors.state_conflict(
      { reason: 'Another request changed the same thing at the same moment. Read it again and retry.' },
      { cause: error },
    );
  }
  if (isTransientFault(error)) {
    return coreErrors.service_unavailable({ retryAfterSeconds: 1, cause: error });
  }
  return coreErrors.internal_error({ cause: error });
}

/**
 * Logs a failed request that is not a call of an operation. During an outage it logs only once, even if a handler has turned
 * the fault of the database into a refusal.
 */
export function logFailure(core: Core, refusal: PostriderError, requestId: string): void {
  const { cause } = refusal;
  if (refusal.code === 'service_unavailable') {
    const kind = isTransientFault(cause) ? cause.fault : 'refused';
    if (outagesOf(core).recordFailure(kind) > 1) return;
  }
  core.log.error({ request_id: requestId, cause: String(cause ?? refusal) }, 'a request failed');
}

/** Whether the log already has this fault: the first fault of an outage is logged, the others are counted. */
const isLogged = (core: Core, error: unknown): boolean =>
  isTransientFault(error) && outagesOf(core).recordFailure(error.fault) > 1;

/** Like `refusalOf`, with the request id. Logs the cause of a 5xx that is not a refusal yet, during an outage only once. */
export function refuse(
  core: Core,
  { requestId, operation }: { readonly requestId: string; readonly operation: string },
  error: unknown,
): PostriderError {
  const refusal = refusalOf(error);
  refusal.requestId = requestId;
  if (refusal !== error && refusal.status >= 500 && !isLogged(core, error)) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    core.log.error(
      { request_id: requestId, operation, cause },
      refusal.code === 'service_unavailable' ? 'the database refused' : 'an operation failed',
    );
  }
  return refusal;
}
