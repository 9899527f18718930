// `ctx.services.contactFilters`: lists contacts by a filter or a segment, for the list of contacts.
import { coreErrors } from '../../core/index.ts';
import { checkValue, faultSentence, findRawFault } from '../../core/unstable.ts';
import type { ContactFilters } from '../contacts/index.ts';
import { filterSchema, listsIn, type SegmentFilter, segmentsIn } from './filter-schema.ts';
import { checkActivities, checkNesting, resolveFilter } from './named-filters.ts';
import { listContacts } from './query.ts';
import { segmentRows } from './segments.ts';

const invalidFilter = (path: string, code: string, message: string): Error =>
  coreErrors.validation_failed({ summary: `${path}: ${message}` }, { details: [{ path, code, message }] });

function parsedFilter(text: string): SegmentFilter {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidFilter(
      'filter',
      'json_invalid',
      'This is not JSON. Give a filter such as {"path":"contact.email","op":"exists","value":true}.',
    );
  }
  // The same check as for the body of a request: it limits the depth before the schema reads the value.
  const fault = findRawFault(value);
  if (fault !== undefined) throw invalidFilter('filter', 'custom', fault.message);
  const result = checkValue(filterSchema, value, 'The filter');
  if (!result.ok) throw invalidFilter('filter', 'custom', result.faults.map(faultSentence).join(' '));
  return result.data;
}

/** The conditions of a list, as one filter. */
function filterOf(
  filter: SegmentFilter | undefined,
  segmentId?: string,
  email?: string,
  externalId?: string,
): SegmentFilter {
  return {
    all: [
      ...(filter === undefined ? [] : [filter]),
      ...(segmentId === undefined ? [] : [{ segment: segmentId }]),
      ...(email === undefined ? [] : [{ path: 'contact.email', op: 'eq' as const, value: email }]),
      ...(externalId === undefined ? [] : [{ path: 'contact.external_id', op: 'eq' as const, value: externalId }]),
    ],
  };
}

export const createContactFilters = (): ContactFilters => ({
  async find(ctx, { filter: text, segmentId, email, externalId, hasScope: holds }, page) {
    const parsed = text === undefined ? undefined : parsedFilter(text);
    const filter = filterOf(parsed, segmentId, email, externalId);
    const segments = segmentsIn(filter);
    // Showing the members of a list or segment needs lists:read, not only contacts:read.
    if (segments.length + listsIn(filter).length > 0 && !holds('lists:read'))
      throw coreErrors.insufficient_scope({ scopes: ['lists:read'] });
    const existing = await segmentRows.findIn(ctx.trx, 'id', segments);
    const unknownId = segments.find((id) => !existing.some((row) => row.id === id));
    if (unknownId !== undefined)
      throw invalidFilter(
        unknownId === segmentId ? 'segmentId' : 'filter',
        'segment_not_found',
        `There is no segment ${unknownId}. GET /v1/segments lists the existing ones.`,
      );
    // A segment alone was checked when it was stored. In another filter it would count as one more level, so it is not
    // checked here.
    if (parsed !== undefined) {
      checkActivities(ctx, parsed);
      await checkNesting(ctx.trx, parsed, null);
    }
    const contacts = await listContacts(ctx.trx, await resolveFilter(ctx.trx, filter), page, ctx.now);
    return contacts.map(({ id }) => id);
  },
});
