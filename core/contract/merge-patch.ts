// JSON merge patches (RFC 7396): the body of a change that merges, and merging. Called by plugins.
import * as z from './zod.ts';

type Patched<S> = { [K in keyof S]: S[K] extends z.ZodType ? z.ZodOptional<z.ZodNullable<S[K]>> : never };

/**
 * The schema of a merge patch: each field may be left out, or null to remove it. Unknown fields are refused. A field that is an
 * object itself merges where it is given as `mergePatchOf` of its own fields, else it must be whole.
 */
export const mergePatchOf = <S extends Readonly<Record<string, z.ZodType>>>(fields: S) =>
  z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.nullable().optional()])) as Patched<S>,
  );

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects merge, null removes a field, everything else (lists, too) replaces. Undefined counts as left out. */
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
