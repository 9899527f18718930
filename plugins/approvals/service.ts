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
   * The member for whom a call acts that only a member can make. `given`: the member that the call names. `present`: the present members
   * of the program. @throws member_not_allowed
   */
  actingMember(actor: Actor, given: string | undefined, present: readonly { readonly uid: string }[]): string;
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
  actingMember(actor, given, present) {
    const uid = requiredMember(actor, given);
    if (present.some((member) => member.uid === uid)) return uid;
    throw errors.member_not_allowed({ reason: `${uid} is not a member of the workspace any more.` });
  },
  async pendingOf(handle, kind, targetIds) {
    const found = new Map<string, PendingDecision>();
    const [only, ...others] = targetIds ?? [];
    if (targetIds !== undefined && only === undefined) return found;
    // A single target is looked up by the unique index, several targets among all pending requests.
    const isOne = only !== undefined && others.length === 0;
    const where = isOne ? { pending_target: pendingTargetOf(kind, only) } : { surface_kind: kind };
    const targets = targetIds === undefined ? undefined : new Set(targetIds);
    for (const side of [false, true]) {
      const waiting = await requestHeadRows.page(handle.onSide(side), {
        where: { ...where, status: 'pending' },
        limit: 500,
      });
      for (const { id, target_id: target } of waiting)
        if (targets?.has(target) ?? true) found.set(target, { requestId: id, status: 'pending' });
    }
    return found;
  },
});
