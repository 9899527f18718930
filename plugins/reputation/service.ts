// `ctx.services.reputation`: asks whether marketing mail is held, and releases it.
import type { TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { releaseMarketing } from './state.ts';
import { findState } from './store.ts';

/** `ctx.services.reputation`. */
export interface ReputationService {
  /**
   * Whether marketing mail of the workspace waits until somebody releases it. Always false on a handle of the sandbox
   * side. If the rate of one sending domain is too high, the marketing mail of all domains is held, because the same list could otherwise
   * be sent from another domain.
   */
  isHeld(handle: WorkspaceHandle): Promise<boolean>;
  /**
   * Releases marketing mail. Mail that was sent before no longer counts. `by`: the uid of a member, or `service`.
   * @throws state_conflict if it is not held
   */
  release(ctx: TransactionContext, change: { readonly by: string; readonly note: string }): Promise<void>;
}

/** Creates the service. It has no state. */
export const createReputationService = (): ReputationService => ({
  isHeld: async (handle) => (await findState(handle)).state === 'held',
  release: releaseMarketing,
});
