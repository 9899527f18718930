import {
  coreErrors,
  decodeCursor,
  defineOperation,
  idParameter,
  listOf,
  pageQuery,
  toPage,
  z,
} from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { resolveFilter } from '../named-filters.ts';
import { listContacts } from '../query.ts';
import { presentContact, segmentContact } from '../schema.ts';
import { segmentRows } from '../segments.ts';
import { contactOfSegment, everyone } from './fixture-rows.ts';

export const listSegmentContacts = defineOperation({
  id: 'segments.contacts',
  summary: 'List the contacts of a segment',
  description:
    "The contacts of the caller's side for which the filter is true now, newest first. Needs lists:read, too.",
  http: 'GET /v1/segments/{segmentId}/contacts',
  tool: 'read_segment_contacts',
  scopes: ['contacts:read'],
  idempotency: 'read',
  input: { params: z.object({ segmentId: idParameter('sgm') }), query: z.object(pageQuery) },
  output: listOf(segmentContact),
  errors: ['segment_not_found', 'cursor_invalid', 'insufficient_scope'],
  fixture: async (kit) => ({
    params: { segmentId: await everyone(kit, kit.workspaceId) },
    foreign: { params: { segmentId: await everyone(kit, kit.foreignWorkspaceId) } },
    errors: { insufficient_scope: 'unreachable here: shown in test/plugins/segments.test.ts' },
  }),
  exampleRow: (kit, workspaceId) => contactOfSegment(kit, workspaceId),

  async handler(ctx, { params: { segmentId }, query: { cursor, limit } }) {
    if (!ctx.holds('lists:read')) throw coreErrors.insufficient_scope({ scopes: ['lists:read'] });
    const row = await segmentRows.find(ctx.trx, segmentId);
    if (row === undefined) throw errors.segment_not_found({ id: segmentId });
    const list = `segments.contacts:${segmentId}`;
    const after = decodeCursor(list, cursor);
    const resolved = await resolveFilter(ctx.trx, row.filter);
    const contacts = await listContacts(ctx.trx, resolved, { after, limit: limit + 1 }, ctx.now);
    return toPage(list, contacts, limit, ({ createdAt, id }) => ({ createdAt, id }), presentContact);
  },
});
