import { defineOperation, isoTime, toIsoTime, z } from '../../../core/index.ts';

export const listRecorded = defineOperation({
  id: 'events.recorded',
  summary: 'List the custom events that were recorded',
  description:
    'The names of custom events that contacts of this side had, in alphabetical order, 100 at most. For each name, up to 1,000 contacts are counted.',
  http: 'GET /v1/events/recorded',
  scopes: ['contacts:read'],
  idempotency: 'read',
  output: z
    .object({
      types: z.array(
        z.object({
          type: z.string(),
          contacts: z.int().describe('The number of contacts that had such an event, at most 1,000.'),
          contactsAreMore: z.boolean().describe('Whether there were more than 1,000.'),
          lastAt: isoTime.describe('The time of the latest such event, of any contact.'),
        }),
      ),
      areMore: z.boolean().describe('Whether there are more than 100 names.'),
    })
    .meta({ id: 'RecordedEvents' }),
  fixture: async (kit) => {
    await kit.call('events.emit', { type: 'order.placed', contact: { external_id: kit.unique('user') } });
    return {};
  },

  async handler({ trx, services }) {
    const { types, areMore } = await services.contacts.eventTypes(trx);
    const shown = types.map(({ type, contacts, areMore: contactsAreMore, lastAt }) => ({
      type,
      contacts,
      contactsAreMore,
      lastAt: toIsoTime(lastAt),
    }));
    return { types: shown, areMore };
  },
});
