import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { presentList } from '../present.ts';
import { listDescription, listName, listResource, maxLists, optin, visibility } from '../schema.ts';
import { listRows } from '../tables.ts';

export const createList = defineOperation({
  id: 'lists.create',
  summary: 'Create a contact list',
  description: `Contacts become its members by calls, imports, sequences and forms. In a list with double opt-in each new member is asked by mail to confirm. A workspace has at most ${maxLists} lists.`,
  http: 'POST /v1/lists',
  tool: 'create_list',
  scopes: ['lists:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: {
    body: z.object({
      name: listName,
      description: listDescription.default(''),
      optin: optin.default('single'),
      visibility: visibility.default('private'),
    }),
  },
  output: listResource,
  status: 201,
  errors: ['list_name_taken', 'limit_reached'],
  audit: { action: 'list.create', target: ({ listId }) => ({ kind: 'list', id: listId }) },
  fixture: async (kit) => ({
    body: { name: kit.unique('Product news'), description: 'What is new, once a month.', optin: 'double' },
    errors: {
      async list_name_taken(own) {
        const name = own.unique('Taken');
        await own.call('lists.create', { name });
        return { body: { name } };
      },
      limit_reached: 'unreachable here: shown in test/plugins/lists.test.ts',
    },
  }),

  async handler(ctx, { body }) {
    // Two concurrent calls must create neither one list too many nor two of one name.
    await lockWorkspace(ctx.trx);
    const count = await listRows.count(ctx.trx, {}, maxLists);
    if (count === maxLists) throw coreErrors.limit_reached({ limit: maxLists, resources: 'lists' });
    const taken = await listRows.findBy(ctx.trx, { name: body.name });
    if (taken !== undefined) throw errors.list_name_taken({ name: body.name, id: taken.id });
    const times = { created_at: ctx.now, updated_at: ctx.now };
    const row = await listRows.insert(ctx.trx, { id: ctx.newId('lst'), ...body, ...times });
    return presentList(ctx, row, undefined);
  },
});
