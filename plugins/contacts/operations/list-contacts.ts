import { containsAnyCase, defineList, normaliseAddress, z } from '../../../core/index.ts';
import { presentContact, suppressedAmong } from '../present.ts';
import { contactResource } from '../schema.ts';
import { contactRows } from '../store.ts';
import { someContact } from './fixture-rows.ts';

export const listContacts = defineList({
  id: 'contacts.list',
  summary: 'List contacts',
  description: 'The newest first. A contact has both an email and an external_id where both are given.',
  http: 'GET /v1/contacts',
  tool: 'list_contacts',
  scopes: ['contacts:read'],
  rows: contactRows,
  item: contactResource,
  filters: {
    email: z
      .string()
      .min(1)
      .max(254)
      .transform(normaliseAddress)
      .optional()
      .describe('The address; compared in its normalised form.'),
    external_id: z.string().min(1).max(200).optional(),
    search: z
      .string()
      .min(1)
      .max(254)
      .optional()
      .describe('Part of the address or the external id, whatever the case. Attributes are not searched.'),
  },
  unequal: ['search'],
  conditions: ({ search }) =>
    search === undefined
      ? undefined
      : (columns) => [
          columns.or([
            containsAnyCase(columns.ref('email'), search),
            containsAnyCase(columns.ref('external_id'), search),
          ]),
        ],
  one: someContact,
  async foreign(kit) {
    const external_id = kit.unique('user');
    await kit.call('contacts.upsert', { external_id }, kit.foreignWorkspaceId);
    return { external_id };
  },
  load: (ctx, shown) => suppressedAmong(ctx, shown, ctx.now),
  present: (row, _, suppressed) => presentContact(row, suppressed),
});
