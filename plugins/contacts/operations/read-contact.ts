import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentContact, suppressedAmong } from '../present.ts';
import { contactDetail } from '../schema.ts';
import { contactRows } from '../store.ts';
import { someContact } from './fixture-rows.ts';

/** The maximum number of timeline entries in the response. */
const shownEntries = 50;

export const readContact = defineRead({
  id: 'contacts.read',
  summary: 'Read a contact',
  description:
    'Returns the contact, and the newest 50 entries of its timeline, such as custom events and sends to its address.',
  http: 'GET /v1/contacts/{contactId}',
  tool: { name: 'read_contact', inCoreToolset: true },
  searchWords: ['phone', 'language', 'profile', 'details', 'person', 'customer', 'know'],
  scopes: ['contacts:read'],
  rows: contactRows,
  item: contactDetail,
  notFoundError: ({ id }) => errors.contact_not_found({ reference: id }),
  exampleRow: someContact,
  async present(row, ctx) {
    const [suppressed, timeline] = await Promise.all([
      suppressedAmong(ctx, [row], ctx.now),
      ctx.ports.timeline.read(
        ctx.trx,
        { personId: row.id, email: row.email },
        {
          limit: shownEntries,
          holds: (scope) => ctx.holds(scope),
        },
      ),
    ]);
    return { ...presentContact(row, suppressed), timeline: timeline.items.map((item) => ({ ...item })) };
  },
});
