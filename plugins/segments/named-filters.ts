// The segments that a filter refers to, directly or through other segments: their filters, and the rules that limit
// their size and prevent cycles.
import { coreErrors, type ServiceContext, type WorkspaceHandle } from '../../core/index.ts';
import { leavesOf, partsOf } from '../../core/unstable.ts';
import { parametersOf } from './compile/index.ts';
import { errors } from './errors.ts';
import { isDid, isSegment, type Leaf, type SegmentFilter, segmentsIn } from './filter-schema.ts';
import type { ResolvedFilter } from './query.ts';
import { maxSegments, type SegmentRow, segmentRows } from './segments.ts';

/** The maximum number of levels of segments in a filter. */
const maxDepth = 3;
/** The maximum number of conditions in a filter, including the segments that it refers to. */
const maxConditions = 250;
/** The maximum number of parts of a filter, including `where` and the segments that it refers to. */
const maxParts = 1_000;
/**
 * The maximum number of values that its statement may bind. The databases' own limits are higher: SQLite 32,766,
 * PostgreSQL 65,535.
 */
const maxParameters = 30_000;

const invalidFilter = (message: string): Error =>
  coreErrors.validation_failed(
    { summary: `filter: ${message}` },
    { details: [{ path: 'filter', code: 'segment_nesting', message }] },
  );

/**
 * The filters of the segments that a filter refers to, directly or through other segments. @throws segment_not_found
 */
export async function resolveFilter(handle: WorkspaceHandle, filter: SegmentFilter): Promise<ResolvedFilter> {
  const named = new Map<string, SegmentFilter>();
  let wantedIds = segmentsIn(filter);
  while (wantedIds.length > 0) {
    const rows = await segmentRows.findIn(handle, 'id', wantedIds);
    for (const row of rows) named.set(row.id, row.filter);
    const unknownId = wantedIds.find((id) => !named.has(id));
    if (unknownId !== undefined) throw errors.segment_not_found({ id: unknownId });
    wantedIds = [...new Set(rows.flatMap((row) => segmentsIn(row.filter)))].filter((id) => !named.has(id));
  }
  return { filter, named };
}

/**
 * Like `resolveFilter`, but from segments that the caller has read. A segment that is not among them counts as empty.
 */
export function filterAmong(
  segments: readonly Pick<SegmentRow, 'id' | 'filter'>[],
  filter: SegmentFilter,
): ResolvedFilter {
  const filtersById = new Map(segments.map((row) => [row.id, row.filter]));
  const named = new Map<string, SegmentFilter>();
  for (let wantedIds = segmentsIn(filter); wantedIds.length > 0; ) {
    const nextIds: string[] = [];
    for (const id of wantedIds) {
      const filterOfSegment = filtersById.get(id);
      if (filterOfSegment === undefined || named.has(id)) continue;
      named.set(id, filterOfSegment);
      nextIds.push(...segmentsIn(filterOfSegment));
    }
    wantedIds = nextIds;
  }
  return { filter, named };
}

interface FilterSize {
  readonly conditions: number;
  readonly parts: number;
}

const whereOf = (leaf: Leaf) => (isDid(leaf) && leaf.where !== undefined ? [leaf.where] : []);

/**
 * The size of a filter, including its parts and the segments that it names. @throws validation_failed for a cycle, and if there
 * are too many levels or parts
 */
function sizeOf(
  filter: SegmentFilter,
  filters: ReadonlyMap<string, SegmentFilter>,
  path: readonly string[],
): FilterSize {
  if (path.length > maxDepth + 1)
    throw invalidFilter(`Segments may refer to each other at most ${maxDepth} levels deep.`);
  let conditions = 0;
  let parts = partsOf(filter, whereOf);
  for (const leaf of leavesOf(filter)) {
    conditions += 1;
    if (isSegment(leaf)) {
      if (path.includes(leaf.segment)) throw invalidFilter(`The segment ${leaf.segment} would refer to itself.`);
      const inner = sizeOf(filters.get(leaf.segment) ?? {}, filters, [...path, leaf.segment]);
      conditions += inner.conditions;
      parts += inner.parts;
    }
    if (conditions > maxConditions)
      throw invalidFilter(
        `A filter has at most ${maxConditions} conditions, including those of the segments that it refers to.`,
      );
    if (parts > maxParts)
      throw invalidFilter(
        `A filter has at most ${maxParts} parts, including those of where and of the segments that it refers to.`,
      );
  }
  return { conditions, parts };
}

/** Whether a filter refers to the segment, directly or through other segments. */
const reaches = (filter: SegmentFilter, filters: ReadonlyMap<string, SegmentFilter>, segmentId: string): boolean =>
  segmentsIn(filter).some((id) => id === segmentId || reaches(filters.get(id) ?? {}, filters, segmentId));

/** All segments of the workspace with their filters. */
const allSegments = (handle: WorkspaceHandle): Promise<SegmentRow[]> =>
  segmentRows.page(handle, { limit: maxSegments });

/**
 * Checks a new filter, of a segment or of a preview, together with the segments that it names and the segments that name it.
 * @throws segment_not_found, validation_failed
 */
export async function checkNesting(
  handle: WorkspaceHandle,
  filter: SegmentFilter,
  segmentId: string | null,
): Promise<void> {
  await resolveFilter(handle, filter);
  const filters = new Map((await allSegments(handle)).map((row) => [row.id, row.filter]));
  const ownId = segmentId ?? '';
  filters.set(ownId, filter);
  for (const [id, one] of filters) sizeOf(one, filters, [id]);
  for (const [id, one] of filters)
    if (
      (id === ownId || reaches(one, filters, ownId)) &&
      parametersOf(handle, one, filters, maxParameters) > maxParameters
    )
      throw invalidFilter(
        `A filter compares at most ${maxParameters} names and values, including those of the segments that it refers to. Shorten the lists of in, or the paths.`,
      );
}

/**
 * Refuses conditions about events of the service: they are not kept for contacts, so the condition would never be true.
 * @throws validation_failed
 */
export function checkActivities({ ports }: ServiceContext, filter: SegmentFilter): void {
  for (const leaf of leavesOf(filter)) {
    if (!isDid(leaf) || !ports.events.has(leaf.did)) continue;
    const message = `did asks for events of your program, and ${leaf.did} is an event of the service. Ask what happened to mail with send: { "send": {}, "was": "opened" }.`;
    throw coreErrors.validation_failed(
      { summary: `filter: ${message}` },
      { details: [{ path: 'filter', code: 'event_unknown', message }] },
    );
  }
}

/** The segments whose filters name this segment. */
export async function segmentsNaming(handle: WorkspaceHandle, segmentId: string): Promise<SegmentRow[]> {
  return (await allSegments(handle)).filter(({ filter }) => segmentsIn(filter).includes(segmentId));
}
