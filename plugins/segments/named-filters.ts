// The segments that a filter names, directly or through others: their filters, and the rules that keep them small and without cycles.
import { coreErrors, type ServiceContext, type WorkspaceHandle } from '../../core/index.ts';
import { leavesOf, partsOf } from '../../core/unstable.ts';
import { parametersOf } from './compile/index.ts';
import { errors } from './errors.ts';
import { isDid, isSegment, type Leaf, type SegmentFilter, segmentsIn } from './filter-schema.ts';
import type { ResolvedFilter } from './query.ts';
import { maxSegments, type SegmentRow, segmentRows } from './segments.ts';

/** How many levels of segments a filter may name. */
const maxDepth = 3;
/** How many conditions a filter may have, including the conditions of the segments that it names. */
const maxConditions = 250;
/** How many parts a filter may have, including the parts of `where` and of the segments that it names. */
const maxParts = 1_000;
/** How many values its statement may bind. Databases have limits: SQLite 32,766 and PostgreSQL 65,535. */
const maxParameters = 30_000;

const refused = (message: string): Error =>
  coreErrors.validation_failed(
    { summary: `filter: ${message}` },
    { details: [{ path: 'filter', code: 'segment_nesting', message }] },
  );

/** The filters of the segments that a filter names, directly or through others. @throws segment_not_found */
export async function resolveFilter(handle: WorkspaceHandle, filter: SegmentFilter): Promise<ResolvedFilter> {
  const named = new Map<string, SegmentFilter>();
  let wanted = segmentsIn(filter);
  while (wanted.length > 0) {
    const rows = await segmentRows.findIn(handle, 'id', wanted);
    for (const row of rows) named.set(row.id, row.filter);
    const missing = wanted.find((id) => !named.has(id));
    if (missing !== undefined) throw errors.segment_not_found({ id: missing });
    wanted = [...new Set(rows.flatMap((row) => segmentsIn(row.filter)))].filter((id) => !named.has(id));
  }
  return { filter, named };
}

/** Like `resolveFilter`, from segments that were read before. Segments that are missing there count as empty. */
export function filterAmong(
  segments: readonly Pick<SegmentRow, 'id' | 'filter'>[],
  filter: SegmentFilter,
): ResolvedFilter {
  const all = new Map(segments.map((row) => [row.id, row.filter]));
  const named = new Map<string, SegmentFilter>();
  for (let wanted = segmentsIn(filter); wanted.length > 0; ) {
    const next: string[] = [];
    for (const id of wanted) {
      const found = all.get(id);
      if (found === undefined || named.has(id)) continue;
      named.set(id, found);
      next.push(...segmentsIn(found));
    }
    wanted = next;
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
  if (path.length > maxDepth + 1) throw refused(`Segments name each other at most ${maxDepth} levels deep.`);
  let conditions = 0;
  let parts = partsOf(filter, whereOf);
  for (const leaf of leavesOf(filter)) {
    conditions += 1;
    if (isSegment(leaf)) {
      if (path.includes(leaf.segment)) throw refused(`The segment ${leaf.segment} would name itself.`);
      const inner = sizeOf(filters.get(leaf.segment) ?? {}, filters, [...path, leaf.segment]);
      conditions += inner.conditions;
      parts += inner.parts;
    }
    if (conditions > maxConditions)
      throw refused(`A filter has at most ${maxConditions} conditions, with those of the segments that it names.`);
    if (parts > maxParts)
      throw refused(`A filter has at most ${maxParts} parts, with those of where and of the segments that it names.`);
  }
  return { conditions, parts };
}

/** Whether a filter names the segment, directly or through others. */
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
  const own = segmentId ?? '';
  filters.set(own, filter);
  for (const [id, one] of filters) sizeOf(one, filters, [id]);
  for (const [id, one] of filters)
    if ((id === own || reaches(one, filters, own)) && parametersOf(handle, one, filters, maxParameters) > maxParameters)
      throw refused(
        `A filter compares at most ${maxParameters} names and values, with those of the segments that it names. Shorten the lists of in, or the paths.`,
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
