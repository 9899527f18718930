// The columns for `defineTable`: the stored form, the form that handlers see, and the conversion between them.

import type { ColumnKind, ColumnType } from '../contract/declaration/migration.ts';
import { normaliseAddress } from '../contract/values/addresses.ts';

/** A column. `T` is the value that handlers see, `S` the value that the database stores. */
export interface Column<T = unknown, S = unknown> {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** For ids: the prefix before the underscore. */
  readonly prefix: string | undefined;
  /** For texts: the largest number of characters; undefined if the kind limits them. */
  readonly maxLength: number | undefined;
  /** The same column, which may be null. */
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
  /** The id of a resource, `srv_…`, made by `ctx.newId('srv')`; also for references to other resources. */
  id: (prefix?: string) => define<string, string>(prefix === undefined ? { kind: 'id' } : { kind: 'id', prefix }),
  /** One of a few words of at most 40 characters: a state, a kind. */
  word: <T extends string>(..._words: readonly T[]) => define<T, T>({ kind: 'id' }),
  /** Up to 200 characters, compared byte by byte: names that callers choose, types of events. */
  key: () => define<string, string>({ kind: 'key' }),
  /**
   * An address of at most 320 characters, by which a person is found. It is normalised (`normaliseAddress`) when it is
   * written and when it is compared. The original spelling, which mail is sent to, needs a separate `text` column.
   */
  address: () => define<string, string>({ kind: 'address' }),
  /** Text of any length. `maxLength` documents the limit of the input schema. */
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

/** Whether the stored form differs from the form that handlers see. */
export const isCoded = ({ kind }: Column): boolean => kind === 'json' || kind === 'flag';

/** Whether a value may change when it is written. */
export const isEncoded = (definition: Column): boolean => isCoded(definition) || definition.kind === 'address';

/** Whether a driver may return a type other than handlers see: some drivers return whole numbers as text. */
export const isDecoded = (definition: Column): boolean =>
  isCoded(definition) || definition.kind === 'integer' || definition.kind === 'time';

/** Converts a value to its stored form. */
export function encodeValue({ kind }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'address' && typeof value === 'string') return normaliseAddress(value);
  return kind === 'flag' ? (value === true ? 1 : 0) : value;
}

/** Converts a stored value to the form that handlers see. */
export function decodeValue({ kind }: Column, stored: unknown): unknown {
  if (stored === null) return null;
  if (kind === 'json') return JSON.parse(stored as string);
  if (kind === 'flag') return stored === 1 || stored === true;
  return (kind === 'integer' || kind === 'time') && typeof stored !== 'number' ? Number(stored) : stored;
}
