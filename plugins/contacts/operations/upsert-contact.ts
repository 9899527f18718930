import { defineOperation, personReference, z } from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import { notesOf } from '../audit-notes.ts';
import { presentContact, suppressedAmong } from '../present.ts';
import { resolveContact } from '../resolve-contact.ts';
import { attributeChanges, contactResource } from '../schema.ts';
import { someContact } from './fixture-rows.ts';

export const upsertContact = defineOperation({
  id: 'contacts.upsert',
  summary: 'Create or change a contact',
  description:
    'Give external_id, email or id. Several of them mean one contact, in this order of precedence. ' +
    'A new external_id takes over the contact that has the email and no external_id yet; otherwise it creates a new contact. ' +
    'An email that belongs to another contact moves to the contact with the external_id; a new email replaces the old one. ' +
    'An unknown email creates a contact; an unknown id alone is contact_not_found. Attributes are merged.',
  http: 'POST /v1/contacts',
  tool: { name: 'upsert_contact', inCoreToolset: true },
  searchWords: ['import', 'address'],
  scopes: ['contacts:write'],
  idempotency: 'replay',
  input: { body: z.object({ ...personReference, attributes: attributeChanges.optional() }) },
  fieldHints: Object.fromEntries(
    ['first_name', 'last_name', 'firstName', 'lastName', 'name', 'phone', 'company', 'language', 'timezone'].map(
      (name) => [name, `Did you mean attributes.${name}?`],
    ),
  ),
  output: contactResource,
  status: 201,
  errors: ['contact_required', 'contact_not_found'],
  retryOnConflict: true,
  emits: ['contact.created', 'contact.updated'],
  // The call sends nothing, but sequences and lists of the contact use the new address from now on.
  leash: {
    recipients: () => 0,
    disallowedRecipient: (_, { body: { email } }, allowed) =>
      email === undefined ? undefined : outsideDomain([email], allowed),
  },
  audit: { action: 'contact.upsert', target: ({ id }) => ({ kind: 'contact', id }) },
  fixture: async (kit) => ({
    body: {
      external_id: kit.unique('user'),
      email: `${kit.unique('person')}@example.com`,
      attributes: { first_name: 'Ada', plan: 'pro' },
    },
    foreign: {
      body: {
        external_id: 'skipped: an id of the caller: one that is not known makes a contact',
        id: await someContact(kit, kit.foreignWorkspaceId),
      },
      otherwise: { id: 'external_id goes before it' },
    },
    errors: {
      contact_required: async () => ({ body: {} }),
      contact_not_found: async () => ({ body: { id: await someContact(kit, kit.foreignWorkspaceId) } }),
    },
  }),

  async handler(ctx, { body: { attributes, ...reference } }) {
    const resolved = await resolveContact(ctx, { reference, attributes, respell: true }, { create: true });
    const { row, presented } = resolved;
    ctx.note(notesOf(row.id, resolved));
    return presented ?? presentContact(row, await suppressedAmong(ctx, [row], ctx.now));
  },
});
