// Inserts many pending approval requests directly, without the API.
import type { TransactionContext } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { createRequest } from '../../plugins/approvals/requests.ts';
import { openPolicy } from '../../plugins/approvals/schema.ts';
import type { ApprovalsBench } from './approvals-bench.ts';

/** Creates `count` requests for targets that do not exist, all on the live side or all in the sandbox. */
export async function insertPendingRequests(
  { service, workspaceId }: ApprovalsBench,
  count: number,
  sandbox = false,
): Promise<void> {
  const workspace = await service.workspaces.read(workspaceId);
  const make = async (ctx: TransactionContext) => {
    for (let index = 0; index < count; index += 1)
      await createRequest(ctx, {
        contentKind: { kind: 'page', targetKind: 'page', read: async () => undefined },
        targetId: ctx.newId('pg'),
        content: { name: 'a page', content: { made: index }, before: null },
        transition: null,
        purpose: 'Approve the content',
        note: null,
        policy: openPolicy,
        publishesAt: undefined,
        actor: { kind: 'service' },
        uid: undefined,
      });
  };
  await inWorkspace(service.core, workspace, make, { sandbox });
}
