// Notices that something of the API ends: an operation says it itself (operation.ts), a field with `deprecatedField`.
import type { z } from 'zod';

/** A deprecation notice: RFC 9745, RFC 8594. Times are ISO dates. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  readonly link: string;
}

/** Where a field's notice stands in its schema, and so in the documents. */
export const deprecationKey = 'x-deprecation';

/**
 * Deprecates a field of a body, a query, an answer or an event: the documents say it, and every workspace is told once
 * (api.deprecation). Put it around all else that the field says of itself.
 * @example reply_to: deprecatedField(z.email().optional(), { since: '2026-11-20', sunset: '2027-06-01', link: 'https://…' })
 */
export function deprecatedField<S extends z.ZodType>(schema: S, notice: Deprecation): S {
  // With its id the deprecation would apply wherever the object is used.
  const { id: _, ...rest } = schema.meta() ?? {};
  return schema.meta({ ...rest, deprecated: true, [deprecationKey]: { ...notice } });
}
