// Field schemas that all plugins share: times, pages, limits, mailboxes. In the form that requests and responses contain.
import * as z from './zod.ts';

/** ISO 8601 in UTC with milliseconds: the form of every time on the wire. */
export const isoTime = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-20T15:04:05.000Z'] });

/** Milliseconds as a wire time. */
export const toIsoTime = (at: number): string => new Date(at).toISOString();

/** Milliseconds or null as a wire time or null. */
export const toIsoTimeOrNull = (at: number | null): string | null => (at === null ? null : toIsoTime(at));

/** The range of times that the wire format can express, whatever the caller's offset: the years 0 to 9999 in UTC. */
const [firstTime, lastTime] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** A time in the input: ISO 8601 with an offset or Z. Parsed to milliseconds. */
export const timeInput = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => Date.parse(text) >= firstTime && Date.parse(text) <= lastTime, 'Give a time from year 0 to 9999.')
  .transform((text) => Date.parse(text));

/** The canonical form of a language tag (BCP 47), `de-AT` for `de-at`; undefined for any other text. */
export function canonicalLocale(tag: string): string | undefined {
  try {
    return tag.length > 35 ? undefined : Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** A language tag in the input. Parsed to its canonical form. */
export const localeTag = z
  .string()
  .refine((tag) => canonicalLocale(tag) !== undefined, 'This is not a language tag (BCP 47), such as de or pt-BR.')
  .transform((tag) => canonicalLocale(tag) ?? tag)
  .meta({ examples: ['de-AT'] });

/** `cursor` and `limit` of a list. `limit` may be text, as in a query. */
export const pageQuery = {
  cursor: z.string().min(1).max(500).optional().describe('The next_cursor of the previous page. Opaque.'),
  limit: z.coerce.number().int().min(1).max(100).default(25).describe('The number of items on a page, 1 to 100.'),
};

/** The envelope of a list: one page of items and the cursor of the next page. */
export function listOf<S extends z.ZodType>(item: S) {
  return z.object({
    data: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .describe(
        'Pass it as cursor to get the next page; null on the last page. A page before the last one can have fewer rows than limit.',
      ),
  });
}

/** A sender or reply address with a display name. */
export const mailbox = z.object({ email: z.string(), name: z.string() });

/**
 * The id that an operation takes in its path. Text that is not a valid id is accepted: it is treated as an id that does not
 * exist.
 */
export const idParameter = (prefix: string) => z.string().min(1).max(200).describe(`Prefix ${prefix}_.`);

/** The id of a resource with its prefix. */
export const idOf = (prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`),
      `Give an id that begins with ${prefix}_, as the service returned it.`,
    );
