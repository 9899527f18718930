// `ctx.services.approvals`, for plugins whose resources can wait for a decision.
import type { Actor, PendingDecision, SurfaceKind, WorkspaceHandle } from '../../core/index.ts';
import { holds, type Policies } from './policies.ts';
import { pendingTargetOf } from './requests.ts';
import { shortRows } from './tables.ts';

/** Composed with the approvals plugin. */
export interface ApprovalsService {
  readonly policies: Policies;
  /** Whether a policy holds such a call of this actor about something that no one has approved. */
  holds(handle: WorkspaceHandle, kind: SurfaceKind, actor: Actor): Promise<boolean>;
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
  holds: async (handle, kind, actor) => holds(await policies.read(handle, kind), actor),
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
