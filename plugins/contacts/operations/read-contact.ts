import { defineOperation, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentContact, suppressedAmong } from '../present.ts';
import { contactDetail } from '../schema.ts';
import { findContact } from '../store.ts';
import { someContact } from './fixture-rows.ts';

/** So many entries of the timeline a read shows. */
const shownEntries = 50;

export const readContact = defineOperation({
  id: 'contacts.read',
  summary: 'Read a contact',
  description:
    'What is known of it, and the newest 50 of what happened, such as custom events and sends to its address.',
  http: 'GET /v1/contacts/{contactId}',
  tool: 'read_contact',
  scopes: ['contacts:read'],
  idempotency: 'read',
  input: { params: z.object({ contactId: z.string().max(100) }) },
  output: contactDetail,
  errors: ['contact_not_found'],
  fixture: async (kit) => ({
    params: { contactId: await someContact(kit, kit.workspaceId) },
    foreign: { contactId: await someContact(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { contactId } }) {
    const row = await findContact(ctx.trx, contactId);
    if (row === undefined) throw errors.contact_not_found({ reference: contactId });
    const [suppressed, timeline] = await Promise.all([
      suppressedAmong(ctx, ctx.trx, [row], ctx.now),
      ctx.ports.timeline.read(ctx.trx, { personId: row.id, email: row.email }, { limit: shownEntries }),
    ]);
    return { ...presentContact(row, suppressed), timeline: timeline.items.map((item) => ({ ...item })) };
  },
});
