// `ctx.services.approvals`, for plugins whose resources can wait for a decision.
import type { PendingDecision, SurfaceKind, WorkspaceHandle } from '../../core/index.ts';
import type { Policies } from './policies.ts';
import { pendingTargetOf } from './requests.ts';
import { shortRows } from './tables.ts';

/** Composed with the approvals plugin. */
export interface ApprovalsService {
  readonly policies: Policies;
  /** The requests about things of this kind that wait for a decision, on either side, by target. (Default of `targetIds`: all) */
  pendingOf(
    handle: WorkspaceHandle,
    kind: SurfaceKind,
    targetIds?: readonly string[],
  ): Promise<ReadonlyMap<string, PendingDecision>>;
}

/** Makes the service. */
export const createApprovalsService = (policies: Policies): ApprovalsService => ({
  policies,
  async pendingOf(handle, kind, targetIds) {
    const found = new Map<string, PendingDecision>();
    const [only, ...others] = targetIds ?? [];
    if (targetIds !== undefined && only === undefined) return found;
    // One target is found by the unique index, many among all that wait.
    const isOne = only !== undefined && others.length === 0;
    const where = isOne ? { pending_target: pendingTargetOf(kind, only) } : { surface_kind: kind };
    const wanted = targetIds === undefined ? undefined : new Set(targetIds);
    for (const side of [false, true]) {
      const waiting = await shortRows.page(handle.onSide(side), { where: { ...where, status: 'pending' }, limit: 500 });
      for (const { id, target_id: target } of waiting)
        if (wanted?.has(target) ?? true) found.set(target, { requestId: id, status: 'pending' });
    }
    return found;
  },
});
