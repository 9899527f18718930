// Segments: the contacts for which a filter is true, counted, listed and explained.
import './events.ts';

export type { ExplainedPart } from './explain.ts';
export type { SegmentFilter } from './filter-schema.ts';
export { segmentsPlugin } from './plugin.ts';
export type { FrozenFilter, SegmentCount, SegmentPage, SegmentRecord, SegmentsService } from './service.ts';
export type { SegmentWatcher, WatchedSegments } from './watching/watched.ts';
