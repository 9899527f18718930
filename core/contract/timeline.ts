// The timeline of a person: what happened to them, from every plugin that keeps some of it, merged newest first.
import { z } from 'zod';
import type { ServiceSurface } from './context.ts';
import { isoTime } from './fields.ts';
import type { WorkspaceHandle } from './handle.ts';

/** Whose timeline is read. */
export interface TimelineSubject {
  /** The id of the person's record in the plugin that keeps people: `con_…`. */
  readonly personId: string;
  /** The normalised address that the person has now. */
  readonly email: string | null;
}

/** The place of an entry: later ones come first; of one instant, the larger id. What `olderThan` takes. */
export interface TimelinePosition {
  /** When it happened, in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly id: string;
}

/** Which entries are asked for. */
export interface TimelinePage {
  /** So many entries at most. */
  readonly limit: number;
  /** Only entries after this one in the order of the timeline, which are older. (Default: from the newest) */
  readonly after?: TimelinePosition | undefined;
}

/** One thing that happened. `fields` stand beside `kind`, `id` and `ts`. */
export interface TimelineEntry<F extends object = object> extends TimelinePosition {
  readonly fields: F;
}

/** One kind of entries, from one plugin. */
export interface TimelineSource {
  /** The `kind` of its entries, unique among the composed plugins: `send`. */
  readonly kind: string;
  /** The fields of an entry beside `kind`, `id` and `ts`. */
  readonly fields: z.ZodObject;
  /** The person's entries of one page, newest first, along an index. Reads only. */
  list(
    handle: WorkspaceHandle,
    subject: TimelineSubject,
    page: TimelinePage,
    surface: ServiceSurface,
  ): Promise<readonly TimelineEntry[]>;
}

/** Declares a source; what `list` answers is held against `fields` by its type. */
export function defineTimelineSource<const S extends z.ZodObject>(declaration: {
  readonly kind: string;
  readonly fields: S;
  list(
    handle: WorkspaceHandle,
    subject: TimelineSubject,
    page: TimelinePage,
    surface: ServiceSurface,
  ): Promise<readonly TimelineEntry<z.input<S>>[]>;
}): TimelineSource {
  return declaration;
}

/** An entry on the wire. Further fields depend on its kind. */
export interface TimelineItem {
  readonly kind: string;
  readonly id: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly [field: string]: unknown;
}

/** What an entry of every kind has, on the wire. */
export const timelineItemFields = {
  id: z.string().describe('Names what happened.'),
  ts: isoTime,
};

/** The id under which documents describe an entry; the OpenAPI document has one variant for each composed kind. */
export const timelineItemName = 'TimelineItem';

/** An entry in the output of an operation. */
export const timelineItem = z
  .looseObject({ kind: z.string().describe('Which other fields there are depends on it.'), ...timelineItemFields })
  .meta({ id: timelineItemName });

/** An entry of one of these sources: with its own fields, by its kind. */
export function timelineItemOf(sources: readonly TimelineSource[]): z.ZodType {
  const kinds = sources.map(({ kind, fields }) =>
    z.object({ kind: z.literal(kind), ...timelineItemFields, ...fields.shape }),
  );
  const [first, ...others] = kinds;
  return first === undefined ? z.looseObject({ kind: z.string() }) : z.discriminatedUnion('kind', [first, ...others]);
}

/** `ctx.ports.timeline`: all composed sources together. */
export interface TimelinePort {
  /** A page of the person's timeline, and the position to go on from; undefined where nothing older is left. */
  read(
    handle: WorkspaceHandle,
    subject: TimelineSubject,
    page: TimelinePage,
  ): Promise<{ readonly items: readonly TimelineItem[]; readonly next: TimelinePosition | undefined }>;
}
