import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import { addMembers } from '../members.ts';
import { consentNote, contactIds } from '../schema.ts';
import { someContact, someList } from './fixture-rows.ts';

const missingNote = {
  path: 'consentNote',
  code: 'required',
  message: 'Say how and when the people agreed: confirmed: true skips the mail that would ask them.',
};

export const addListMembers = defineOperation({
  id: 'lists.members_add',
  summary: 'Add members to a contact list',
  description:
    'Adds up to 10,000 contacts in one transaction. In a list with double opt-in they are unconfirmed and get a mail that asks them to confirm, at most once a day and three times in 30 days; confirmed: true with a consentNote skips it. Contacts that are members stay members; members who have not confirmed yet get the mail again.',
  http: 'POST /v1/lists/{listId}/members',
  tool: { name: 'add_list_members', openWorld: true },
  scopes: ['lists:write'],
  idempotency: 'replay',
  retryOnConflict: true,
  input: {
    params: z.object({ listId: idParameter('lst') }),
    body: z.object({
      contactIds,
      confirmed: z.boolean().optional().describe('true: they need no mail. Requires consentNote.'),
      consentNote: consentNote.optional(),
    }),
  },
  output: z.object({
    added: z.int().describe('New members.'),
    alreadyMembers: z.int().describe('Members before the call, confirmed or not.'),
    notFound: z.int().describe("Ids that do not exist on the caller's side."),
  }),
  errors: ['list_not_found'],
  emits: ['list_member.added', 'list_member.confirmed'],
  // Each new member may get a confirmation mail, or enter a sequence that starts when a contact joins the list.
  leash: {
    recipients: (_, { body }) => body.contactIds.length,
    async disallowedRecipient(ctx, { body }, allowed) {
      const contacts = await ctx.services.contacts.among(ctx.trx, body.contactIds);
      return outsideDomain(
        [...contacts.values()].flatMap(({ email }) => email ?? []),
        allowed,
      );
    },
  },
  audit: {
    action: 'list.members.add',
    target: (_: unknown, { params }: { params: { listId: string } }) => ({ kind: 'list', id: params.listId }),
  },
  fixture: async (kit) => ({
    params: { listId: await someList(kit, kit.workspaceId) },
    body: { contactIds: [await someContact(kit, kit.workspaceId), await someContact(kit, kit.workspaceId)] },
    foreign: {
      params: { listId: await someList(kit, kit.foreignWorkspaceId) },
      body: { contactIds: [await someContact(kit, kit.foreignWorkspaceId)] },
      otherwise: { contactIds: 'ids that name nobody are counted' },
    },
  }),

  async handler(ctx, { params: { listId }, body }) {
    const { confirmed = false } = body;
    ctx.refuse(confirmed && body.consentNote === undefined ? [missingNote] : []);
    const options = { source: 'api' as const, confirmed, consentNote: body.consentNote };
    const result = await addMembers(ctx, listId, body.contactIds, options);
    ctx.note({ ...result, ...(confirmed ? { confirmed } : {}) });
    return result;
  },
});
