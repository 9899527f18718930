// The output schema of a field whose texts an erasure may empty or replace by a longer pseudonym. It is the field's schema
// without the limits of texts and lists, because these limits would refuse the answer. Called by fields.ts alone.
import { lazily } from '../contract/schemas/lazy-schema.ts';
import * as z from '../contract/schemas/zod.ts';

/** The parts of zod's definitions that this file walks. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

function unlimited(schema: z.ZodType): z.ZodType {
  const { type, innerType, element, shape } = schema.def as unknown as Definition;
  if (type === 'string') return z.string();
  if (type === 'nullable' && innerType !== undefined) return withoutLimits(innerType).nullable();
  if (type === 'optional' && innerType !== undefined) return withoutLimits(innerType).optional();
  if (type === 'array' && element !== undefined) return z.array(withoutLimits(element));
  if (type !== 'object' || shape === undefined) return schema;
  return z.object(Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, withoutLimits(part)])));
}

function withoutLimits(schema: z.ZodType): z.ZodType {
  const unlimitedSchema = unlimited(schema);
  const { id: _, ...metadata } = schema.meta() ?? {};
  return unlimitedSchema === schema ? unlimitedSchema : unlimitedSchema.meta(metadata);
}

/** The schema of the answer, built when it is first used. */
export const erasable: <S extends z.ZodType>(schema: S) => S = lazily(withoutLimits) as never;
