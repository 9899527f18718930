// Which columns and which fields of responses contain personal data. Declared with the schema, so that erasure does not
// depend on column names.
import * as z from '../schemas/zod.ts';

/**
 * The kind of personal data in a column, and its replacement on erasure.
 * `person`: the id of the person's record; replaced by null.
 * `address`: a normalised address, in a column of the kind `address`; replaced by its pseudonym.
 * Rows of a person are found by `person` and `address` columns.
 * `raw_address`: the address as the caller wrote it; replaced by its pseudonym.
 * `text`: free text from callers; replaced by null if the column is nullable, else by an empty text, list or object.
 * `mentions`: text or JSON that may mention addresses; each address is replaced by its pseudonym.
 */
export type PersonalColumn = 'person' | 'address' | 'raw_address' | 'text' | 'mentions';

/** The personal data of a table. */
export interface PersonalTable {
  readonly columns: Readonly<Record<string, PersonalColumn>>;
  /**
   * What happens to the rows of an erased person. `blank`: the core replaces the columns above and keeps the row.
   * `remove`: the core deletes the row. `plugin`: the plugin's own `personalData.erase` handles the row, if it needs more,
   * such as follow-up work or a unique address. (Default: blank)
   */
  readonly rows?: 'blank' | 'remove' | 'plugin';
  /**
   * Whether every row is searched for the addresses of an erased person. Found addresses in the columns `text` and `mentions`
   * are replaced by pseudonyms. Set it for text in which an address may occur although the row belongs to no person. Each
   * erasure then reads the whole table. (Default: false)
   */
  readonly searched?: boolean;
  /** The columns to update if the search changes a row: the time is set, and the version counts up. (Default: none) */
  readonly onChange?: { readonly timeColumn?: string; readonly versionColumn?: string };
}

/**
 * The kind of personal data in a field of a response: text of the caller (`text`), or the caller's id of the person
 * (`identifier`).
 */
export type PersonalField = 'text' | 'identifier';

const marks = z.registry<{ readonly kind: PersonalField }>();

/**
 * Marks a field in an operation's output as personal data. When the person is erased, the field is removed from responses that
 * are stored for retries.
 * @example attributes: personal('text', z.record(z.string(), z.string()))
 */
export const personal = <S extends z.ZodType>(kind: PersonalField, schema: S): S => {
  marks.add(schema, { kind });
  return schema;
};

/** The empty value of the same type: an empty text, bytes, list or object, else null. */
export function emptyValueOf(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (value instanceof Uint8Array) return new Uint8Array();
  if (Array.isArray(value)) return [];
  return typeof value === 'object' ? {} : null;
}

/** The parts of zod's definitions that this file reads. */
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
 * Returns a response without the personal data that its schema marks: texts are emptied, identifiers of the person become
 * null. Null and absent values stay, and so do list items about other people.
 */
export function withoutPersonal(
  schema: z.ZodType,
  value: unknown,
  isPersonsId: (value: unknown) => boolean,
  concernsOther: (item: unknown) => boolean = () => false,
): unknown {
  if (value === null || value === undefined) return value;
  const kind = marks.get(schema)?.kind;
  if (kind === 'text') return emptyValueOf(value);
  if (kind === 'identifier' && isPersonsId(value)) return null;
  const walk = (inner: z.ZodType | undefined, part: unknown): unknown =>
    inner === undefined ? part : withoutPersonal(inner, part, isPersonsId, concernsOther);
  const definition = schema.def as unknown as Definition;
  const { innerType, out, element, valueType, left, right, options, shape, catchall } = definition;
  if (definition.type === 'lazy') return walk(definition.getter?.(), value);
  if (options !== undefined) return options.reduce((cleaned: unknown, option) => walk(option, cleaned), value);
  if (left !== undefined) return walk(right, walk(left, value));
  if (innerType !== undefined || out !== undefined) return walk(innerType ?? out, value);
  if (Array.isArray(value)) return value.map((item) => (concernsOther(item) ? item : walk(element, item)));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      walk(shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : (valueType ?? catchall), member),
    ]),
  );
}
