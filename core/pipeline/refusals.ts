// Turns any thrown error into the refusal that callers see; details that they must not see go to the log. Called where
// calls end: execute.ts, in-process calls, and the interfaces for faults before the call.
import { coreErrors } from '../contract/core-errors.ts';
import type { PostriderError } from '../contract/errors.ts';
import { isPostriderError } from '../contract/errors.ts';
import type { StorageFault } from '../contract/ports/storage.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { Core } from './core.ts';

/** Transient faults of the database. */
const passing: ReadonlySet<StorageFault> = new Set(['busy', 'unavailable', 'deadlock', 'full']);

interface Outage {
  readonly since: number;
  refusedAt: number;
  refusals: number;
}

/** Services whose database is unavailable. */
const outages = new WeakMap<Core, Outage>();

/**
 * A pool that is short of connections refuses some calls and serves others: the outage is over after so long without a
 * refusal.
 */
const quietMs = 1_000;

/**
 * Whether this refusal is the first of an outage. The others are only counted: a log line for each would hide all other
 * lines.
 */
function beginsOutage(core: Core, error: unknown): boolean {
  if (!isStorageError(error, 'unavailable')) return true;
  const now = performance.now();
  const outage = outages.get(core);
  if (outage === undefined) {
    outages.set(core, { since: now, refusedAt: now, refusals: 1 });
    return true;
  }
  outage.refusedAt = now;
  outage.refusals += 1;
  return false;
}

/** Call after each answered call: logs once that an outage is over. Costs one look-up. */
export function databaseAnswered(core: Core): void {
  const outage = outages.get(core);
  const now = performance.now();
  if (outage === undefined || now - outage.refusedAt < quietMs) return;
  outages.delete(core);
  const fields = { refusals: outage.refusals, seconds: Math.round((now - outage.since) / 1_000) };
  core.log.warn(fields, 'the database answers again');
}

/** A refusal stays as it is; a fault of the database gets a public message; all else becomes internal_error. */
export function refusalOf(error: unknown): PostriderError {
  if (isPostriderError(error)) return error;
  if (isStorageError(error, 'unique')) {
    return coreErrors.state_conflict(
      { reason: 'Another request changed the same thing at the same moment. Read it again and retry.' },
      { cause: error },
    );
  }
  if (isStorageError(error) && passing.has(error.fault)) {
    return coreErrors.service_unavailable({ retryAfterSeconds: 1, headers: { 'Retry-After': '1' }, cause: error });
  }
  return coreErrors.internal_error({ cause: error });
}

/** The same with the request id; logs the cause of a 5xx that is not a refusal yet, during an outage only once. */
export function refuse(
  core: Core,
  { requestId, operation }: { readonly requestId: string; readonly operation: string },
  error: unknown,
): PostriderError {
  const refusal = refusalOf(error);
  refusal.requestId = requestId;
  if (refusal !== error && refusal.status >= 500 && beginsOutage(core, error)) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    core.log.error(
      { request_id: requestId, operation, cause },
      refusal.code === 'service_unavailable' ? 'the database refused' : 'an operation failed',
    );
  }
  return refusal;
}
