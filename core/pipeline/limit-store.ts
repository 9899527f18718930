// Decides about a request whose limits cannot be counted because the store is down. Called by admit.ts and
// address-limit.ts.
import { coreErrors } from '../contract/core-errors.ts';
import type { LimitDecision } from '../contract/ports/limits.ts';
import type { Core } from './core.ts';

/** How often a service's store has failed since the service was composed. */
const storeFailures = new WeakMap<Core, number>();

/**
 * The store's decision; undefined where the store failed and `onStoreFailure` lets requests pass. Each failure is
 * logged and counted.
 * @throws service_unavailable where `onStoreFailure` refuses them
 */
export async function askLimitStore(
  core: Core,
  take: () => LimitDecision | Promise<LimitDecision>,
): Promise<LimitDecision | undefined> {
  try {
    return await take();
  } catch (cause) {
    const failures = (storeFailures.get(core) ?? 0) + 1;
    storeFailures.set(core, failures);
    const { onStoreFailure } = core.settings;
    core.log.error({ cause: String(cause), store: core.limits.id, failures, onStoreFailure }, 'the limit store failed');
    if (onStoreFailure === 'deny')
      throw coreErrors.service_unavailable({ retryAfterSeconds: 1, headers: { 'Retry-After': '1' }, cause });
    return undefined;
  }
}
