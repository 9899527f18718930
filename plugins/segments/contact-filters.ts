// `ctx.services.contactFilters`: lists contacts by a filter or a segment, for the list of contacts.
import { coreErrors } from '../../core/index.ts';
import { checkValue, faultSentence, findRawFault } from '../../core/unstable.ts';
import type { ContactFilters } from '../contacts/index.ts';
import { filterSchema, listsIn, type SegmentFilter, segmentsIn } from './filter-schema.ts';
import { checkActivities, checkNesting, resolveFilter } from './named-filters.ts';
import { listContacts } from './query.ts';
import { segmentRows } from './segments.ts';

const refused = (path: string, code: string, message: string): Error =>
  coreErrors.validation_failed({ summary: `${path}: ${message}` }, { details: [{ path, code, message }] });

function parsedFilter(text: string): SegmentFilter {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused(
      'filter',
      'json_invalid',
      'This is no JSON. Give a filter such as {"path":"contact.email","op":"exists","value":true}.',
    );
  }
  // The same check as for a request's body: it bounds the depth before the schema walks down.
  const fault = findRawFault(value);
  if (fault !== undefined) throw refused('filter', 'custom', fault.message);
  const checked = checkValue(filterSchema, value, 'The filter');
  if (!checked.ok) throw refused('filter', 'custom', checked.faults.map(faultSentence).join(' '));
  return checked.data;
}

/** The conditions of a list, as one filter. */
function filterOf(
  given: SegmentFilter | undefined,
  segmentId?: string,
  email?: string,
  externalId?: string,
): SegmentFilter {
  return {
    all: [
      ...(given === undefined ? [] : [given]),
      ...(segmentId === undefined ? [] : [{ segment: segmentId }]),
      ...(email === undefined ? [] : [{ path: 'contact.email', op: 'eq' as const, value: email }]),
      ...(externalId === undefined ? [] : [{ path: 'contact.external_id', op: 'eq' as const, value: externalId }]),
    ],
  };
}

export const createContactFilters = (): ContactFilters => ({
  async find(ctx, { filter: text, segmentId, email, externalId, holds }, page) {
    const parsed = text === undefined ? undefined : parsedFilter(text);
    const filter = filterOf(parsed, segmentId, email, externalId);
    const segments = segmentsIn(filter);
    // Showing the members of a list or segment needs lists:read, not only contacts:read.
    if (segments.length + listsIn(filter).length > 0 && !holds('lists:read'))
      throw coreErrors.insufficient_scope({ scopes: ['lists:read'] });
    const known = await segmentRows.findIn(ctx.trx, 'id', segments);
    const missing = segments.find((id) => !known.some((row) => row.id === id));
    if (missing !== undefined)
      throw refused(
        missing === segmentId ? 'segmentId' : 'filter',
        'segment_not_found',
        `There is no segment ${missing}. GET /v1/segments lists the existing ones.`,
      );
    // A segment by itself was checked when it was stored. As the part of a filter, it would count as one level more.
    if (parsed !== undefined) {
      checkActivities(ctx, parsed);
      await checkNesting(ctx.trx, parsed, null);
    }
    const found = await listContacts(ctx.trx, await resolveFilter(ctx.trx, filter), page, ctx.now);
    return found.map(({ id }) => id);
  },
});
