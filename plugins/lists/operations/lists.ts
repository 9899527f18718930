import { coreErrors, defineCreate, defineList, defineRead, defineUpdate } from '../../../core/index.ts';
import { contactLists } from '../contact-lists.ts';
import { maxLists } from '../schema.ts';
import { hasMembers } from '../store.ts';
import { listWithMembers } from './fixture-rows.ts';

export const listLists = defineList({
  resource: contactLists,
  id: 'lists.list',
  summary: 'List contact lists',
  description: "Newest first. Both sides of the workspace share them; the counts are those of the caller's side.",
  http: 'GET /v1/lists',
  tool: 'list_lists',
});

export const readList = defineRead({
  resource: contactLists,
  searchWords: ['groups', 'size', 'count', 'members'],
  id: 'lists.read',
  summary: 'Read a contact list',
  description:
    'Answers its name, how contacts join it, who sees it, and how many members it has; not the members themselves.',
  http: 'GET /v1/lists/{listId}',
  tool: 'read_list',
});

export const createList = defineCreate({
  resource: contactLists,
  id: 'lists.create',
  summary: 'Create a contact list',
  description: `Contacts become its members by calls, imports, sequences and forms. In a list with double opt-in each new member is asked by mail to confirm. A workspace has at most ${maxLists} lists.`,
  http: 'POST /v1/lists',
  tool: 'create_list',
  liveOnly: true,
  limit: { max: maxLists, resources: 'lists' },
  errorCases: { limit_reached: 'unreachable here: shown in test/plugins/lists.test.ts' },
});

export const updateList = defineUpdate({
  resource: contactLists,
  id: 'lists.update',
  summary: 'Change a contact list',
  description:
    'Fields that are left out stay unchanged. optin cannot change once the list has members, on either side of the workspace.',
  http: 'PATCH /v1/lists/{listId}',
  tool: 'update_list',
  liveOnly: true,
  errors: ['state_conflict'],
  body: async () => ({ description: 'What is new, twice a month.', visibility: 'public' }),
  errorCases: {
    state_conflict: async (kit) => ({
      params: { listId: await listWithMembers(kit, kit.workspaceId) },
      body: { optin: 'double' },
    }),
  },

  // The list is locked, so no member is added while optin changes.
  async before(ctx, row, { optin }) {
    if (optin === undefined || optin === row.optin || !(await hasMembers(ctx.trx, row.id))) return;
    const reason = 'optin cannot change once the list has members. Make another list and add its members there.';
    throw coreErrors.state_conflict({ reason });
  },
});
