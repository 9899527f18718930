import { collectReferences, defineOperation, idParameter, z } from '../../../core/index.ts';
import { listRows } from '../contact-lists.ts';
import { errors } from '../errors.ts';
import { removeListKind } from '../jobs/kinds.ts';
import { someList } from './fixture-rows.ts';

export const deleteList = defineOperation({
  id: 'lists.delete',
  summary: 'Delete a contact list',
  description:
    'Deletes the list and its memberships on both sides; the contacts stay. Emits no list_member.removed. Refused while a published sequence, a published page, a segment or the defaults of campaigns name the list.',
  http: 'DELETE /v1/lists/{listId}',
  tool: { name: 'delete_list', destructive: true },
  scopes: ['lists:write'],
  liveOnly: true,
  idempotency: 'natural',
  input: { params: z.object({ listId: idParameter('lst') }) },
  output: z.object({ listId: z.string(), deleted: z.literal(true) }),
  errors: ['list_not_found', 'list_in_use'],
  audit: { action: 'list.delete', target: ({ listId }) => ({ kind: 'list', id: listId }) },
  fixture: async (kit) => ({
    params: { listId: await someList(kit, kit.workspaceId) },
    foreign: { listId: await someList(kit, kit.foreignWorkspaceId) },
    errors: { list_in_use: 'unreachable here: shown in test/plugins/lists.test.ts' },
  }),

  async handler(ctx, { params: { listId } }) {
    // Every transaction that begins to use the list also locks it, so no user is added meanwhile.
    const row = await listRows.lock(ctx.trx, listId);
    if (row === undefined) throw errors.list_not_found({ id: listId });
    const users = await collectReferences(ctx, 'lists.references', listId);
    if (users.length > 0) throw errors.list_in_use({ id: listId, users });
    await listRows.remove(ctx.trx, listId);
    // A list may have more members than one transaction should delete, so a job deletes them. They are not shown
    // without their list.
    for (const sandbox of ctx.sandbox ? [true] : [false, true])
      ctx.enqueue({ kind: removeListKind, payload: { listId }, lane: 'bulk', sandbox });
    return { listId, deleted: true as const };
  },
});
