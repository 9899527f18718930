import { defineOperation, z } from '../../../core/index.ts';
import { eraseContact } from '../erasure.ts';
import { someContact } from './fixture-rows.ts';

/** For an address or an external id, the response would be `deleted: false`, as if nothing were known about the person. */
const erasedId = z
  .string()
  .max(100)
  .regex(/^con_/, 'Give the id of a contact, con_…: GET /v1/contacts finds it by its email or external_id.')
  .describe('Prefix con_; the list of contacts finds it by email or external_id.');

export const deleteContact = defineOperation({
  id: 'contacts.delete',
  summary: 'Erase a contact',
  description:
    'Removes the contact, its timeline and its address everywhere: sends to it keep their counts under a pseudonym, and a ' +
    'suppression still protects the address. ' +
    'A live key erases the person on the sandbox side, too; a sandbox key erases the sandbox side alone. ' +
    'The call can be repeated: deleted says whether the contact existed. To erase an address that has no contact, create one with it first.',
  http: 'DELETE /v1/contacts/{contactId}',
  tool: { name: 'delete_contact', destructive: true },
  searchWords: ['forget', 'gdpr', 'privacy', 'everything', 'erase', 'data'],
  scopes: ['contacts:erase'],
  idempotency: 'natural',
  input: { params: z.object({ contactId: erasedId }) },
  output: z.object({ id: z.string(), deleted: z.boolean() }),
  retryOnConflict: true,
  // Erasing a contact ends the person's unsent mail.
  emits: ['send.failed', 'sequence_run.exited'],
  audit: { action: 'contact.delete', target: ({ id }) => ({ kind: 'contact', id }) },
  fixture: async (kit) => ({
    params: { contactId: await someContact(kit, kit.workspaceId) },
    foreign: { contactId: await someContact(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { contactId } }) {
    const deleted = await eraseContact(ctx, contactId);
    ctx.note({ deleted });
    return { id: contactId, deleted };
  },
});
