import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { removeMembers } from '../members.ts';
import { contactIds } from '../schema.ts';
import { someContact, someList } from './fixture-rows.ts';

export const removeListMembers = defineOperation({
  id: 'lists.members_remove',
  summary: 'Remove members from a contact list',
  description:
    'Removes up to 10,000 contacts from the list in one transaction; the contacts stay. A pending mail can no longer confirm them.',
  http: 'POST /v1/lists/{listId}/members/remove',
  tool: { name: 'remove_list_members', destructive: true },
  scopes: ['lists:write'],
  idempotency: 'replay',
  retryOnConflict: true,
  input: { params: z.object({ listId: idParameter('lst') }), body: z.object({ contactIds }) },
  output: z.object({
    removed: z.int(),
    notMembers: z.int().describe('Ids of contacts that are not members of the list.'),
  }),
  errors: ['list_not_found'],
  emits: ['list_member.removed'],
  audit: {
    action: 'list.members.remove',
    target: (_: unknown, { params }: { params: { listId: string } }) => ({ kind: 'list', id: params.listId }),
  },
  async fixture(kit) {
    const listId = await someList(kit, kit.workspaceId);
    const contactIds = [await someContact(kit, kit.workspaceId)];
    await kit.call('lists.members_add', { listId, contactIds });
    return {
      params: { listId },
      body: { contactIds },
      foreign: {
        params: { listId: await someList(kit, kit.foreignWorkspaceId) },
        body: { contactIds: [await someContact(kit, kit.foreignWorkspaceId)] },
        otherwise: { contactIds: 'ids that name nobody are counted' },
      },
    };
  },

  async handler(ctx, { params: { listId }, body }) {
    const result = await removeMembers(ctx, listId, body.contactIds);
    ctx.note({ ...result });
    return result;
  },
});
