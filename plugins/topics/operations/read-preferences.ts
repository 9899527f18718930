import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { preferencesResource } from '../schema.ts';
import { showPreferences } from '../show-preferences.ts';
import { someContact } from './fixture-rows.ts';

export const readPreferences = defineOperation({
  id: 'preferences.read',
  summary: "Read a contact's preferences",
  description:
    "For each topic, whether the contact's address is subscribed, and the source of that. Without a preference the topic's default counts.",
  http: 'GET /v1/contacts/{contactId}/preferences',
  tool: 'read_preferences',
  searchWords: ['topics', 'subscribed', 'unsubscribed', 'consent', 'opt-out'],
  scopes: ['contacts:read'],
  idempotency: 'read',
  input: { params: z.object({ contactId: idParameter('con') }) },
  output: preferencesResource,
  errors: ['contact_not_found'],
  fixture: async (kit) => ({
    params: { contactId: await someContact(kit, kit.workspaceId) },
    foreign: { contactId: await someContact(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { contactId } }) {
    return showPreferences(ctx.trx, await ctx.services.contacts.find(ctx.trx, { id: contactId }));
  },
});
