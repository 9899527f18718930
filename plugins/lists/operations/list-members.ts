import { defineList } from '../../../core/index.ts';
import { listRows } from '../contact-lists.ts';
import { errors } from '../errors.ts';
import { presentMember } from '../present.ts';
import { memberResource, memberStatus } from '../schema.ts';
import { memberRows } from '../tables.ts';
import { listWithMembers, someContact } from './fixture-rows.ts';

export const listMembers = defineList({
  id: 'lists.members',
  summary: 'List the members of a contact list',
  description: "Newest first, on the caller's side.",
  http: 'GET /v1/lists/{listId}/members',
  tool: 'read_list_members',
  scopes: ['lists:read'],
  rows: memberRows,
  within: { rows: listRows, notFoundError: errors.list_not_found, column: 'list_id', exampleRow: listWithMembers },
  item: memberResource,
  filters: { status: memberStatus.optional().describe('Only members of this status.') },
  load: (ctx, shown) =>
    ctx.services.contacts.among(
      ctx.trx,
      shown.map(({ contact_id: id }) => id),
    ),
  present: (row, _, people) => presentMember(row, people.get(row.contact_id)),
  async exampleRow(kit, workspaceId, params) {
    const listId = String(params?.['listId']);
    const id = await someContact(kit, workspaceId);
    await kit.call('lists.members_add', { listId, contactIds: [id] }, workspaceId);
    return id;
  },
});
