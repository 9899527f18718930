// JSON merge patches (RFC 7396): the schema of a patch, and its application. Called by plugins.
import * as z from './zod.ts';

type Patched<S> = { [K in keyof S]: S[K] extends z.ZodType ? z.ZodOptional<z.ZodNullable<S[K]>> : never };

/**
 * The schema of a merge patch: each field may be left out, or null to remove it. Unknown fields are refused. If the value of a
 * field is an object, pass `mergePatchOf` of its fields to accept a partial object; otherwise the object must be complete.
 */
export const mergePatchOf = <S extends Readonly<Record<string, z.ZodType>>>(fields: S) =>
  z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.nullable().optional()])) as Patched<S>,
  );

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Applies a patch: objects are merged, null removes a field, and any other value (also a list) replaces it. Undefined is ignored.
 */
export function mergePatch(target: Json, patch: Json): Record<string, unknown> {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const old = merged.get(key);
    if (value === null) merged.delete(key);
    else if (value !== undefined)
      merged.set(key, isObject(value) ? mergePatch(isObject(old) ? old : {}, value) : value);
  }
  return Object.fromEntries(merged);
}
