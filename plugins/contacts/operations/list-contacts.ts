import { decodeCursor, defineOperation, listOf, normaliseAddress, pageQuery, toPage, z } from '../../../core/index.ts';
import { presentContact, suppressedAmong } from '../present.ts';
import { contactResource } from '../schema.ts';
import { listContacts as listRows } from '../store.ts';
import { someContact } from './fixture-rows.ts';

export const listContacts = defineOperation({
  id: 'contacts.list',
  summary: 'List contacts',
  description: 'The newest first. A contact has both an email and an external_id where both are given.',
  http: 'GET /v1/contacts',
  tool: 'list_contacts',
  scopes: ['contacts:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      email: z.string().min(1).max(254).optional().describe('The address; compared in its normalised form.'),
      external_id: z.string().min(1).max(200).optional(),
    }),
  },
  output: listOf(contactResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  item: someContact,

  async handler(ctx, { query }) {
    const { limit, external_id } = query;
    const email = query.email === undefined ? undefined : normaliseAddress(query.email);
    const after = decodeCursor('contacts', query.cursor);
    const rows = await listRows(ctx.trx, { email, external_id }, limit, after);
    const suppressed = await suppressedAmong(ctx, ctx.trx, rows.slice(0, limit), ctx.now);
    return toPage(
      'contacts',
      rows,
      limit,
      (row) => ({ createdAt: row.created_at, id: row.id }),
      (row) => presentContact(row, suppressed),
    );
  },
});
