// Deprecation notices. An operation declares its notice in `deprecated` (operation.ts); a field uses `deprecatedField`.
import type { z } from 'zod';

/** A deprecation notice: RFC 9745, RFC 8594. Times are ISO dates. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  readonly link: string;
}

/** The key of a field's notice in its schema, and therefore in the generated documents. */
export const deprecationKey = 'x-deprecation';

let hasDeclaredField = false;

/** Whether this process has declared a deprecated field. If not, the documents are made without searching all schemas. */
export const hasDeprecatedFields = (): boolean => hasDeclaredField;

/**
 * Deprecates a field of a body, a query, a response or an event: the documents show it, and every workspace gets one
 * api.deprecation event. `deprecatedField` must be the outermost call around the field's schema.
 * @example reply_to: deprecatedField(z.email().optional(), { since: '2026-11-20', sunset: '2027-06-01', link:
 * 'https://…' })
 */
export function deprecatedField<S extends z.ZodType>(schema: S, notice: Deprecation): S {
  hasDeclaredField = true;
  // Remove the id: otherwise the deprecation would apply wherever the object is used.
  const { id: _, ...rest } = schema.meta() ?? {};
  return schema.meta({ ...rest, deprecated: true, [deprecationKey]: { ...notice } });
}
