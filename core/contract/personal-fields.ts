// Which columns and which fields of answers hold something of a person: declared with the schema, so that erasing goes by the
// declaration and not by what something is called.
import { z } from 'zod';

/**
 * What a column holds of a person, and what erasing puts in its place. `person`: the id of the person's record; null.
 * `address`: a normalised address; its pseudonym. Rows are found by these two. `spelling`: the address as it was given; its
 * pseudonym. `words`: what callers said; null where the column may be, else an empty text, list or object. `mentions`: text or
 * JSON in which an address may stand in passing; pseudonyms in the place of addresses.
 */
export type PersonalColumn = 'person' | 'address' | 'spelling' | 'words' | 'mentions';

/** What a table holds of people. */
export interface PersonalTable {
  readonly columns: Readonly<Record<string, PersonalColumn>>;
  /**
   * What becomes of the rows of a person who is erased. `blank`: the core puts the above in place and keeps the row. `remove`:
   * the core deletes it. `plugin`: the plugin's own `personalData.erase` sees to it, for rows that have more to them: something
   * that follows, or an address that is unique. (Default: blank)
   */
  readonly rows?: 'blank' | 'remove' | 'plugin';
}

/** What a field of an answer holds: the caller's own `words`, or an `identifier` of the caller's for the person. */
export type PersonalField = 'words' | 'identifier';

const marks = z.registry<{ readonly holds: PersonalField }>();

/**
 * Marks a field in an operation's output: answers that are kept for repeated calls lose it when the person is erased.
 * @example attributes: personal('words', z.record(z.string(), z.string()))
 */
export const personal = <S extends z.ZodType>(holds: PersonalField, schema: S): S => {
  marks.add(schema, { holds });
  return schema;
};

/** What is left of a value: nothing, in its own type. */
function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  return typeof value === 'object' ? {} : null;
}

/** The parts of zod's definitions that are walked. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly out?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly getter?: () => z.ZodType;
}

/**
 * An answer without what its schema marks: words are emptied, identifiers that are the person's own become null. Null and what
 * is not there stay.
 */
export function withoutPersonal(schema: z.ZodType, value: unknown, isOwn: (value: unknown) => boolean): unknown {
  if (value === null || value === undefined) return value;
  const holds = marks.get(schema)?.holds;
  if (holds === 'words') return emptied(value);
  if (holds === 'identifier' && isOwn(value)) return null;
  const walk = (inner: z.ZodType | undefined, part: unknown): unknown =>
    inner === undefined ? part : withoutPersonal(inner, part, isOwn);
  const definition = schema.def as unknown as Definition;
  const { innerType, out, element, valueType, left, right, options, shape, catchall } = definition;
  if (definition.type === 'lazy') return walk(definition.getter?.(), value);
  if (options !== undefined) return options.reduce((rest: unknown, option) => walk(option, rest), value);
  if (left !== undefined) return walk(right, walk(left, value));
  if (innerType !== undefined || out !== undefined) return walk(innerType ?? out, value);
  if (Array.isArray(value)) return value.map((item) => walk(element, item));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      walk(shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : (valueType ?? catchall), member),
    ]),
  );
}
