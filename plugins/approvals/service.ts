// `ctx.services.approvals`, for plugins whose resources can wait for a decision.
import type { Actor, PendingDecision, SurfaceKind, WorkspaceHandle } from '../../core/index.ts';
import { holds, type Policies } from './policies.ts';
import { pendingTargetOf } from './requests.ts';
import { shortRows } from './tables.ts';

/** Available if the approvals plugin is composed. */
export interface ApprovalsService {
  readonly policies: Policies;
  /** Whether a policy holds calls of this actor for content without an approval. */
  holds(handle: WorkspaceHandle, kind: SurfaceKind, actor: Actor): Promise<boolean>;
  /** The pending requests for targets of this kind, on either side, by target. (Default of `targetIds`: all) */
  pendingOf(
    handle: WorkspaceHandle,
    kind: SurfaceKind,
    targetIds?: readonly string[],
  ): Promise<ReadonlyMap<string, PendingDecision>>;
}

export const createApprovalsService = (policies: Policies): ApprovalsService => ({
  policies,
  holds: async (handle, kind, actor) => holds(await policies.read(handle, kind), actor),
  async pendingOf(handle, kind, targetIds) {
    const found = new Map<string, PendingDecision>();
    const [only, ...others] = targetIds ?? [];
    if (targetIds !== undefined && only === undefined) return found;
    // A single target is looked up by the unique index, several targets among all pending requests.
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
