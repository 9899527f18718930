// The timeline of a person: what happened to them, merged from all plugins that store such records, newest first.

import type { ReadContext } from '../context/context.ts';
import type { WorkspaceHandle } from '../context/handle.ts';
import { isoTime } from '../schemas/fields.ts';
import * as z from '../schemas/zod.ts';

/** The person whose timeline is read. */
export interface TimelinePerson {
  /** The id of the person's record in the plugin that stores people: `con_…`. */
  readonly personId: string;
  /** The person's present normalised address. */
  readonly email: string | null;
}

/** The keyset position of an entry: ordered by time, newest first, then by id, largest first. */
export interface TimelinePosition {
  /** When it happened, in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly id: string;
}

/** A page of entries. */
export interface TimelinePage {
  /** The largest number of entries. */
  readonly limit: number;
  /** Returns only entries after this position, which are older. (Default: starts with the newest) */
  readonly after?: TimelinePosition | undefined;
  /** Whether the reader has a scope. Entries whose scope the reader does not have are left out. (Default: the reader has all) */
  readonly holds?: ((scope: string) => boolean) | undefined;
}

/** One thing that happened. Its `fields` are shown next to `kind`, `id` and `ts`. */
export interface TimelineEntry<F extends object = object> extends TimelinePosition {
  readonly fields: F;
}

/** A plugin's source for one kind of entries. */
export interface TimelineSource {
  /** The `kind` of its entries, unique over the composed plugins: `send`. */
  readonly kind: string;
  /** The scope that is needed to read its entries. (Default: the timeline's scope) */
  readonly scope?: string;
  /** The fields of an entry, in addition to `kind`, `id` and `ts`. */
  readonly fields: z.ZodObject;
  /** Returns one page of the person's entries, newest first, read along an index. Must only read. */
  list(ctx: ReadContext, subject: TimelinePerson, page: TimelinePage): Promise<readonly TimelineEntry[]>;
}

/** Declares a source. TypeScript checks the entries of `list` against `fields`. */
export function defineTimelineSource<const S extends z.ZodObject>(declaration: {
  readonly kind: string;
  readonly scope?: string;
  readonly fields: S;
  list(ctx: ReadContext, subject: TimelinePerson, page: TimelinePage): Promise<readonly TimelineEntry<z.input<S>>[]>;
}): TimelineSource {
  return declaration;
}

/** An entry on the wire. Other fields depend on its kind. */
export interface TimelineItem {
  readonly kind: string;
  readonly id: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly [field: string]: unknown;
}

/** The fields of every kind of entry, on the wire. */
export const timelineItemFields = {
  id: z.string().describe('The kind of entry.'),
  ts: isoTime,
};

/** The schema id of an entry. The OpenAPI document has one variant for each composed kind. */
export const timelineItemName = 'TimelineItem';

/** An entry in the output of an operation. */
export const timelineItem = z
  .looseObject({ kind: z.string().describe('The other fields depend on it.'), ...timelineItemFields })
  .meta({ id: timelineItemName });

/** The schema of the entries of these sources: the fields depend on the kind. */
export function timelineItemOf(sources: readonly TimelineSource[]): z.ZodType {
  const kinds = sources.map(({ kind, fields }) =>
    z.object({ kind: z.literal(kind), ...timelineItemFields, ...fields.shape }),
  );
  const [first, ...otherKinds] = kinds;
  return first === undefined
    ? z.looseObject({ kind: z.string() })
    : z.discriminatedUnion('kind', [first, ...otherKinds]);
}

/** `ctx.ports.timeline`: all composed sources together. */
export interface TimelinePort {
  /** Returns a page of the person's timeline and the position of the next page, which is undefined on the last page. */
  read(
    handle: WorkspaceHandle,
    subject: TimelinePerson,
    page: TimelinePage,
  ): Promise<{ readonly items: readonly TimelineItem[]; readonly next: TimelinePosition | undefined }>;
}
