import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import { setPreferences as setRows } from '../preferences.ts';
import { newPreferences, preferencesResource } from '../schema.ts';
import { showPreferences } from '../show-preferences.ts';
import { someContact, someTopic } from './fixture-rows.ts';

const noteMissing = (key: string) => ({
  path: 'consentNote',
  code: 'required',
  message: `The person opted out of ${key} by a link in a mail. Say in consentNote how and when they agreed to get it again.`,
});

export const setPreferences = defineOperation({
  id: 'preferences.set',
  summary: "Set a contact's preferences",
  description:
    "Subscribes the contact's address to topics or unsubscribes it; topics that are left out stay as they are. An opt-out by a link in a mail is lifted only with a consentNote. Returns all preferences.",
  http: 'PUT /v1/contacts/{contactId}/preferences',
  tool: 'set_preferences',
  searchWords: ['topics', 'subscribe', 'unsubscribe', 'opt-in', 'opt-out', 'consent'],
  scopes: ['contacts:write'],
  idempotency: 'replay',
  retryOnConflict: true,
  input: { params: z.object({ contactId: idParameter('con') }), body: newPreferences },
  output: preferencesResource,
  errors: ['contact_not_found', 'topic_not_found', 'state_conflict'],
  emits: ['topic.subscribed', 'topic.unsubscribed'],
  // Sequences may begin when someone subscribes to a topic.
  leash: {
    recipients: (_, { body: { topics } }) => (Object.values(topics).includes(true) ? 1 : 0),
    disallowedRecipient: async (ctx, { params: { contactId } }, allowed) =>
      outsideDomain(await ctx.services.contacts.addressesOf(ctx.trx, { id: contactId }), allowed),
  },
  audit: { action: 'preference.set', target: ({ contactId }) => ({ kind: 'contact', id: contactId }) },
  fixture: async (kit) => {
    const topic = await someTopic(kit, kit.workspaceId);
    return {
      params: { contactId: await someContact(kit, kit.workspaceId) },
      body: { topics: { [topic]: true }, consentNote: 'Asked for it on the phone.' },
      foreign: { params: { contactId: await someContact(kit, kit.foreignWorkspaceId) } },
      errors: {
        topic_not_found: async (own) => ({
          body: { topics: { [await someTopic(own, own.foreignWorkspaceId)]: true } },
        }),
        state_conflict: async (own) => {
          const { id } = await own.call('contacts.upsert', { external_id: own.unique('nameless') });
          return { params: { contactId: String(id) } };
        },
      },
    };
  },

  async handler(ctx, { params: { contactId }, body: { topics, consentNote } }) {
    const contact = await ctx.services.contacts.find(ctx.trx, { id: contactId });
    const { email } = contact;
    if (email === null)
      throw coreErrors.state_conflict({
        reason: 'Preferences belong to an address, and this contact has none. Give it one first: POST /v1/contacts.',
      });
    const subscribedByTopic = new Map(Object.entries(topics));
    const { changed, kept } = await setRows(ctx, { email, topics: subscribedByTopic, source: 'api', consentNote });
    ctx.refuse(kept.map(noteMissing));
    ctx.note({ topics: changed.length, ...(consentNote === undefined ? {} : { consent_note: true }) });
    return showPreferences(ctx.trx, contact);
  },
});
