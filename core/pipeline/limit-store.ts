// Decides about a request whose limits cannot be counted because the store is down. Called by admit.ts and
// address-limit.ts.
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { LimitDecision } from '../contract/ports/limits.ts';
import type { Core } from './core.ts';
import { Outages, perService } from './outages.ts';

const outagesOf = perService(() => new Outages<'store'>());

/**
 * A store that times out fails some requests and decides on others, so an outage is over only after this time without a failure.
 */
const quietMs = 1_000;

/**
 * The store's decision. Undefined if the store failed and `onStoreFailure` lets requests pass. The first failure of an outage
 * is logged, the others are counted until the store works again.
 * @throws service_unavailable if the store failed and `onStoreFailure` refuses requests
 */
export async function takeFromLimitStore(
  core: Core,
  take: () => LimitDecision | Promise<LimitDecision>,
): Promise<LimitDecision | undefined> {
  const store = core.limits.id;
  const outages = outagesOf(core);
  try {
    const decision = await take();
    for (const { failures, seconds } of outages.takeEnded(() => quietMs))
      core.log.warn({ store, failures, seconds }, 'the limit store works again');
    return decision;
  } catch (cause) {
    const { onStoreFailure } = core.settings;
    if (outages.recordFailure('store') === 1)
      core.log.error({ cause: String(cause), store, onStoreFailure }, 'the limit store failed');
    if (onStoreFailure === 'deny') throw coreErrors.service_unavailable({ retryAfterSeconds: 1, cause });
    return undefined;
  }
}
