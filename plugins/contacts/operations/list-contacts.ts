import {
  containsAnyCase,
  coreErrors,
  defineList,
  idParameter,
  normaliseAddress,
  type OperationContext,
  z,
} from '../../../core/index.ts';
import type { ContactFilters, FilterPage } from '../filters.ts';
import { findByBeginning } from '../find-by-beginning.ts';
import { presentContact, suppressedAmong } from '../present.ts';
import { contactResource } from '../schema.ts';
import { contactRows } from '../store.ts';
import type { ContactRow } from '../tables.ts';
import { someContact } from './fixture-rows.ts';

interface FilteredQuery {
  readonly filter?: string | undefined;
  readonly segmentId?: string | undefined;
  readonly email?: string | undefined;
  readonly external_id?: string | undefined;
  readonly search?: string | undefined;
}

async function findFiltered(query: FilteredQuery, ctx: OperationContext, page: FilterPage): Promise<ContactRow[]> {
  const filters: ContactFilters | undefined = ctx.services.contactFilters;
  if (filters === undefined)
    throw refused('filter', 'not_available', 'Filters need the plugin segments, which this service does not have.');
  const { filter, segmentId, email, external_id: externalId } = query;
  const holds = (scope: string) => ctx.holds(scope);
  return rowsOf(ctx, await filters.find(ctx, { filter, segmentId, email, externalId, hasScope: holds }, page));
}

/** The contacts with these ids, in this order. */
async function rowsOf(ctx: OperationContext, ids: readonly string[]): Promise<ContactRow[]> {
  const rows = new Map((await contactRows.findIn(ctx.trx, 'id', ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

async function findBeginning(query: FilteredQuery, text: string, ctx: OperationContext, page: FilterPage) {
  const { filter, segmentId, email, external_id: externalId, search } = query;
  if ([filter, segmentId, email, externalId, search].some((one) => one !== undefined))
    throw refused('beginning', 'filter_conflict', 'beginning does not go with other filters.');
  return rowsOf(ctx, await findByBeginning(ctx.trx, text, page));
}

const refused = (path: string, code: string, message: string): Error =>
  coreErrors.validation_failed({ summary: message }, { details: [{ path, code, message }] });

export const listContacts = defineList({
  id: 'contacts.list',
  summary: 'List contacts',
  description:
    'Newest first. A contact meets all filters that are given. filter is the filter of a segment, as JSON; filters about lists and segments, and segmentId, also need lists:read.',
  errors: ['insufficient_scope'],
  errorCases: { insufficient_scope: 'unreachable here: shown in test/plugins/contacts-filters.test.ts' },
  http: 'GET /v1/contacts',
  tool: { name: 'list_contacts', inCoreToolset: true },
  searchWords: ['phone', 'language', 'people', 'customers', 'find', 'who'],
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
      .describe('Compared in its normalised form.'),
    external_id: z.string().min(1).max(200).optional(),
    search: z.string().min(1).max(254).optional().describe('Part of the address or external id; case is ignored.'),
    beginning: z.string().min(1).max(200).optional().describe('The beginning of the address or external id.'),
    segmentId: idParameter('sgm').optional().describe('Contacts of this segment (prefix sgm_). Not with search.'),
    filter: z
      .string()
      .min(2)
      .max(16_384)
      .optional()
      .describe(
        'The filter of a segment, as JSON: {"all":[{"path":"contact.attributes.plan","op":"eq","value":"pro"},{"did":"project.created"}]}. Not with search.',
      ),
  },
  customFilters: ['search', 'beginning', 'segmentId', 'filter'],
  find(query, ctx, page) {
    if (query.beginning !== undefined) return findBeginning(query, query.beginning, ctx, page);
    if (query.filter === undefined && query.segmentId === undefined) return undefined;
    if (query.search !== undefined)
      throw refused(
        'search',
        'filter_conflict',
        'search does not go with filter or segmentId. contact.email and contact.external_id can be compared in the filter.',
      );
    return findFiltered(query, ctx, page);
  },
  conditions: ({ search }) =>
    search === undefined
      ? undefined
      : (columns) => [
          columns.or([
            containsAnyCase(columns.ref('email'), search),
            containsAnyCase(columns.ref('external_id'), search),
          ]),
        ],
  exampleRow: someContact,
  async foreign(kit) {
    const external_id = kit.unique('user');
    await kit.call('contacts.upsert', { external_id }, kit.foreignWorkspaceId);
    const { segmentId } = await kit.call(
      'segments.create',
      { name: kit.unique('All'), filter: {} },
      kit.foreignWorkspaceId,
    );
    return { external_id, segmentId: String(segmentId) };
  },
  load: (ctx, rows) => suppressedAmong(ctx, rows, ctx.now),
  present: (row, _, suppressed) => presentContact(row, suppressed),
});
