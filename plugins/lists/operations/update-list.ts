import { coreErrors, defineOperation, givenId, z } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { showList } from '../present.ts';
import { listDescription, listName, listResource, optin, visibility } from '../schema.ts';
import { hasMembers } from '../store.ts';
import { listRows } from '../tables.ts';
import { listWithMembers, someList } from './fixture-rows.ts';

export const updateList = defineOperation({
  id: 'lists.update',
  summary: 'Change a contact list',
  description:
    'What is left out stays. optin cannot change once the list has members, on either side of the workspace.',
  http: 'PATCH /v1/lists/{listId}',
  tool: 'update_list',
  scopes: ['lists:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: {
    params: z.object({ listId: givenId('lst') }),
    body: z.object({
      name: listName.optional(),
      description: listDescription.optional(),
      optin: optin.optional(),
      visibility: visibility.optional(),
    }),
  },
  output: listResource,
  errors: ['list_not_found', 'list_name_taken', 'state_conflict'],
  audit: { action: 'list.update', target: ({ listId }) => ({ kind: 'list', id: listId }) },
  fixture: async (kit) => ({
    params: { listId: await someList(kit, kit.workspaceId) },
    body: { description: 'What is new, twice a month.', visibility: 'public' },
    foreign: { listId: await someList(kit, kit.foreignWorkspaceId) },
    errors: {
      async list_name_taken(own) {
        const name = own.unique('Taken');
        await own.call('lists.create', { name });
        return { body: { name } };
      },
      state_conflict: async (own) => ({
        params: { listId: await listWithMembers(own, own.workspaceId) },
        body: { optin: 'double' },
      }),
    },
  }),

  async handler(ctx, { params: { listId }, body }) {
    if (body.name !== undefined) await lockWorkspace(ctx.trx);
    // Locked: no member is added while optin changes.
    const row = await listRows.lock(ctx.trx, listId);
    if (row === undefined) throw errors.list_not_found({ id: listId });
    if (body.name !== undefined && body.name !== row.name) {
      const taken = await listRows.findBy(ctx.trx, { name: body.name });
      if (taken !== undefined) throw errors.list_name_taken({ name: body.name, id: taken.id });
    }
    if (body.optin !== undefined && body.optin !== row.optin && (await hasMembers(ctx.trx, listId))) {
      const reason = 'optin cannot change once the list has members. Make another list and add its members there.';
      throw coreErrors.state_conflict({ reason });
    }
    return showList(ctx, await listRows.change(ctx.trx, row, { ...body, updated_at: ctx.now }));
  },
});
