// `ctx.services.approvals`, for plugins whose resources can wait for a decision.
import type { Actor, ContentKindId, PendingDecision, WorkspaceHandle } from '../../core/index.ts';
import { errors } from './errors.ts';
import { requiredMember } from './members.ts';
import { holdsCallsOf, type Policies } from './policies.ts';
import { pendingTargetOf } from './requests.ts';
import { requestHeadRows } from './tables.ts';

/** Available if the approvals plugin is composed. */
export interface ApprovalsService {
  readonly policies: Policies;
  /** Whether a policy holds calls of this actor for content without an approval. */
  holds(handle: WorkspaceHandle, kind: ContentKindId, actor: Actor): Promise<boolean>;
  /**
   * The acting member of a call that only a member can make. `named`: the member that the call names. `members`: the
   * members of the program now. @throws member_not_allowed
   */
  actingMember(actor: Actor, named: string | undefined, members: readonly { readonly uid: string }[]): string;
  /** The pending requests for targets of this kind, on either side, by target. (Default of `targetIds`: all) */
  pendingOf(
    handle: WorkspaceHandle,
    kind: ContentKindId,
    targetIds?: readonly string[],
  ): Promise<ReadonlyMap<string, PendingDecision>>;
}

export const createApprovalsService = (policies: Policies): ApprovalsService => ({
  policies,
  holds: async (handle, kind, actor) => holdsCallsOf(await policies.read(handle, kind), actor),
  actingMember(actor, named, members) {
    const uid = requiredMember(actor, named);
    if (members.some((member) => member.uid === uid)) return uid;
    throw errors.member_not_allowed({ reason: `${uid} is not a member of the workspace any more.` });
  },
  async pendingOf(handle, kind, targetIds) {
    const byTarget = new Map<string, PendingDecision>();
    const [firstId, ...otherIds] = targetIds ?? [];
    if (targetIds !== undefined && firstId === undefined) return byTarget;
    // A single target is looked up by the unique index, several targets among all pending requests.
    const isOne = firstId !== undefined && otherIds.length === 0;
    const where = isOne ? { pending_target: pendingTargetOf(kind, firstId) } : { surface_kind: kind };
    const targets = targetIds === undefined ? undefined : new Set(targetIds);
    for (const side of [false, true]) {
      const waiting = await requestHeadRows.page(handle.onSide(side), {
        where: { ...where, status: 'pending' },
        limit: 500,
      });
      for (const { id, target_id: target } of waiting)
        if (targets?.has(target) ?? true) byTarget.set(target, { requestId: id, status: 'pending' });
    }
    return byTarget;
  },
});
