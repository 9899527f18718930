// The timeline of a person: what happened to them, merged newest first from all plugins that keep such records.

import type { ReadContext } from './context.ts';
import { isoTime } from './fields.ts';
import type { WorkspaceHandle } from './handle.ts';
import * as z from './zod.ts';

/** The person whose timeline is read. */
export interface TimelineSubject {
  /** The id of the person's record in the plugin that keeps people: `con_…`. */
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
  /** The most entries. */
  readonly limit: number;
  /** Only entries that come after this one, which are older. (Default: from the newest) */
  readonly after?: TimelinePosition | undefined;
  /** Whether the reader holds a scope: entries of other areas are left out without theirs. (Default: all of them) */
  readonly holds?: ((scope: string) => boolean) | undefined;
}

/** One thing that happened. `fields` stand beside `kind`, `id` and `ts`. */
export interface TimelineEntry<F extends object = object> extends TimelinePosition {
  readonly fields: F;
}

/** One kind of entries, from one plugin. */
export interface TimelineSource {
  /** The `kind` of its entries, unique over the composed plugins: `send`. */
  readonly kind: string;
  /** The scope that reads what its entries tell of. (Default: that of the timeline) */
  readonly scope?: string;
  /** The fields of an entry beside `kind`, `id` and `ts`. */
  readonly fields: z.ZodObject;
  /** The person's entries of one page, newest first, read along an index. Reads only. */
  list(ctx: ReadContext, subject: TimelineSubject, page: TimelinePage): Promise<readonly TimelineEntry[]>;
}

/** Declares a source; its type checks the entries of `list` against `fields`. */
export function defineTimelineSource<const S extends z.ZodObject>(declaration: {
  readonly kind: string;
  readonly scope?: string;
  readonly fields: S;
  list(ctx: ReadContext, subject: TimelineSubject, page: TimelinePage): Promise<readonly TimelineEntry<z.input<S>>[]>;
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

/** What an entry of every kind has, on the wire. */
export const timelineItemFields = {
  id: z.string().describe('Names what happened.'),
  ts: isoTime,
};

/** The id of the schema of an entry; the OpenAPI document has one variant for each composed kind. */
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
  /** A page of the person's timeline, and the position of the next page; undefined on the last one. */
  read(
    handle: WorkspaceHandle,
    subject: TimelineSubject,
    page: TimelinePage,
  ): Promise<{ readonly items: readonly TimelineItem[]; readonly next: TimelinePosition | undefined }>;
}
