// The columns that `defineTable` takes: what a database stores, what a handler sees, and how one becomes the other.
import type { ColumnKind, ColumnType } from '../contract/migration.ts';

/** A column. `T` is what handlers see, `S` what the database stores. */
export interface Column<T = unknown, S = unknown> {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** Of ids: what stands before the underscore. */
  readonly prefix: string | undefined;
  /** Of texts: the most characters; undefined where the kind alone bounds them. */
  readonly maxLength: number | undefined;
  /** Whether the column may be null. */
  nullable(): Column<T | null, S | null>;
  /** Types only; never set. */
  readonly types?: { readonly row: T; readonly stored: S };
}

interface Shape {
  readonly kind: ColumnKind;
  readonly isNullable?: boolean;
  readonly prefix?: string;
  readonly maxLength?: number;
}

function define<T, S>({ kind, isNullable = false, prefix, maxLength }: Shape): Column<T, S> {
  return {
    kind,
    isNullable,
    prefix,
    maxLength,
    nullable: () =>
      define<T | null, S | null>({
        kind,
        isNullable: true,
        ...(prefix === undefined ? {} : { prefix }),
        ...(maxLength === undefined ? {} : { maxLength }),
      }),
  };
}

/**
 * The kinds of columns of `defineTable`. Handlers see JSON as values and flags as booleans; times are milliseconds since
 * the epoch on both sides.
 */
export const column = {
  /** A resource's id, `srv_…`: `ctx.newId('srv')` makes one. Another resource's id is one, too. */
  id: (prefix?: string) => define<string, string>(prefix === undefined ? { kind: 'id' } : { kind: 'id', prefix }),
  /** One of a few words of at most 40 characters: a state, a kind. */
  word: <T extends string>(..._words: readonly T[]) => define<T, T>({ kind: 'id' }),
  /** Up to 200 characters, compared byte by byte: names that callers choose, types of events. */
  key: () => define<string, string>({ kind: 'key' }),
  /** A normalised address of at most 320 characters. */
  address: () => define<string, string>({ kind: 'address' }),
  /** Text of any length. `maxLength` documents what the schema in front of it allows. */
  text: (maxLength?: number) =>
    define<string, string>(maxLength === undefined ? { kind: 'text' } : { kind: 'text', maxLength }),
  /** A value that is stored as JSON. */
  json: <T>() => define<T, string>({ kind: 'json' }),
  /** A whole number of up to 53 bits. */
  integer: () => define<number, number>({ kind: 'integer' }),
  /** Milliseconds since the epoch. */
  time: () => define<number, number>({ kind: 'time' }),
  /** True or false. */
  flag: () => define<boolean, number>({ kind: 'flag' }),
  /** Bytes: sealed secrets, small files. */
  bytes: () => define<Uint8Array, Uint8Array>({ kind: 'bytes' }),
} as const;

/** `created_at` and `updated_at`. Handlers write them: `ctx.now` is the time of the call. */
export const timestamps = { created_at: column.time(), updated_at: column.time() } as const;

/** The kind as migrations write it. */
export const columnType = ({ kind, isNullable }: Column): ColumnType => (isNullable ? `${kind}?` : kind);

/** Whether the database stores something else than handlers see. */
export const isCoded = ({ kind }: Column): boolean => kind === 'json' || kind === 'flag';

/** What is stored for a value. */
export function encodeValue({ kind }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (kind === 'json') return JSON.stringify(value);
  return kind === 'flag' ? (value === true ? 1 : 0) : value;
}

/** What a handler sees of what is stored. */
export function decodeValue({ kind }: Column, stored: unknown): unknown {
  if (stored === null) return null;
  if (kind === 'json') return JSON.parse(stored as string);
  if (kind === 'flag') return stored === 1 || stored === true;
  return kind === 'integer' || kind === 'time' ? Number(stored) : stored;
}
