// The fields of a resource, for `defineResource`. Each field declares its column, the values that callers may pass, the
// values that responses show, and whether it is personal data. Pure declarations; a field never reads or writes anything.

import type { OperationContext } from '../contract/context/context.ts';
import { type PersonalColumn, personal } from '../contract/declaration/personal-fields.ts';
import { idOf, isoTime, timeInput } from '../contract/schemas/fields.ts';
import * as z from '../contract/schemas/zod.ts';
import { emailAddress } from '../contract/values/addresses.ts';
import { type Column, column } from './columns.ts';
import { erasable } from './erasable.ts';

/** A field as types. */
export interface FieldTypes {
  /** The value in rows. */
  readonly row: unknown;
  /** The value in the database. */
  readonly stored: unknown;
  readonly input: z.ZodType;
  /** Undefined if callers do not see the field. */
  readonly shown: z.ZodType | undefined;
  readonly create: 'required' | 'optional' | 'never';
  readonly update: boolean;
  /** `id`: the id of the resource itself. `time`: a column that every resource has. `none`: computed, without a column. */
  readonly column: 'own' | 'id' | 'version' | 'time' | 'none';
}

/** The value of a column of a new row, if callers do not give it. */
export type Initial<T> = T | ((ctx: OperationContext) => T);

/** A field at run time. */
export interface FieldParts {
  readonly column: Column | undefined;
  readonly input: z.ZodType;
  readonly shown: z.ZodType | undefined;
  readonly create: FieldTypes['create'];
  readonly update: boolean;
  readonly role: 'own' | 'id' | 'version' | 'created_at' | 'updated_at' | 'computed';
  /** The value if the caller gives none; undefined for fields that callers must give. */
  readonly initial: Initial<unknown>;
  readonly personal: PersonalColumn | undefined;
  readonly index: 'plain' | 'unique' | undefined;
  /** Whether a later migration adds the column. */
  readonly isLater: boolean;
  /** Whether `purge` deletes rows by the column. */
  readonly isPurged: boolean;
}

/** A field without its methods. */
export interface AnyField {
  readonly parts: FieldParts;
  /** Types only; never set. */
  readonly types?: FieldTypes;
}

type Change<D extends FieldTypes, C extends Partial<FieldTypes>> = {
  readonly [K in keyof FieldTypes]: K extends keyof C ? C[K] : D[K];
};
type NullableType<S> = S extends z.ZodType ? z.ZodNullable<S> : undefined;

/** A field of a resource. Each method returns another field. */
export interface Field<D extends FieldTypes> extends AnyField {
  readonly types?: D;
  /** Allows null, in the column and on the wire. Call it before `default`. */
  nullable(): Field<
    Change<
      D,
      {
        row: D['row'] | null;
        stored: D['stored'] | null;
        input: NullableType<D['input']> & z.ZodType;
        shown: NullableType<D['shown']>;
      }
    >
  >;
  /** The value in a new row if the caller leaves the field out. Without a default, a create must give the field. */
  default(value: z.output<D['input']>): Field<Change<D, { create: 'optional' }>>;
  /** Callers cannot give the field: a new row has `initial`, and hooks change it. */
  readOnly(initial: Initial<D['row']>): Field<Change<D, { create: 'never'; update: false }>>;
  /** Callers give the field when the row is created, and cannot change it. */
  immutable(): Field<Change<D, { update: false }>>;
  /** Callers cannot give the field when the row is created: a new row has `initial`. Only updates can give it. */
  onlyUpdate(initial: Initial<D['row']>): Field<Change<D, { create: 'never' }>>;
  /** Callers do not see the field. */
  hidden(): Field<Change<D, { shown: undefined }>>;
  /**
   * The schema of the values that callers see, if it differs from the schema of the values that they give. Call it
   * after `nullable`.
   */
  shown<S extends z.ZodType>(schema: S): Field<Change<D, { shown: S }>>;
  /** Describes the values that callers see, if they are described differently from the values that they give. */
  described(text: string): Field<D>;
  /**
   * Declares the personal data in the field (`PersonalColumn`). If the table does not name a person, its texts are
   * searched when a person is erased. The shown schema of texts and mentions has no limits, because an erasure could
   * break them. Call it after `shown`.
   */
  personal(holds: PersonalColumn): Field<D>;
  /** Gives the column an index, for filters and for finding a person's rows. */
  indexed(): Field<D>;
  /** Gives a time the index that `purge` needs, which deletes old rows of all workspaces. */
  purged(): Field<D>;
  /** Makes the value unique among the rows of a workspace. */
  unique(): Field<D>;
  /**
   * Leaves the column out of the first migration: a later migration adds it. For a field that is added after a release.
   */
  later(): Field<D>;
}

/** A field that callers give. */
type WritableField<T, S, In extends z.ZodType, Out extends z.ZodType = In> = Field<{
  readonly row: T;
  readonly stored: S;
  readonly input: In;
  readonly shown: Out;
  readonly create: 'required';
  readonly update: true;
  readonly column: 'own';
}>;
/** A field that callers cannot give. */
type ReadOnlyField<T, Out extends z.ZodType, ColumnRole extends FieldTypes['column'] = 'own'> = Field<{
  readonly row: T;
  readonly stored: T;
  readonly input: z.ZodNever;
  readonly shown: Out;
  readonly create: 'never';
  readonly update: false;
  readonly column: ColumnRole;
}>;

function define<F>(parts: FieldParts): F {
  const next = (changes: Partial<FieldParts>) => define<never>({ ...parts, ...changes });
  const result: Field<FieldTypes> = {
    parts,
    nullable: () =>
      next({
        column: parts.column?.nullable(),
        input: parts.input.nullable(),
        shown: parts.shown?.nullable(),
      }),
    default: (value) => next({ create: 'optional', initial: value }),
    readOnly: (initial) => next({ create: 'never', update: false, initial }),
    immutable: () => next({ update: false }),
    onlyUpdate: (initial) => next({ create: 'never', initial }),
    hidden: () => next({ shown: undefined }),
    shown: (schema) => next({ shown: schema }),
    described: (text) => next({ shown: parts.shown?.describe(text) }),
    personal: (holds) => {
      if ((holds !== 'text' && holds !== 'mentions') || parts.shown === undefined) return next({ personal: holds });
      const shown = erasable(parts.shown);
      // An erasure also removes the words that callers wrote about the person from stored answers.
      return next({ personal: holds, shown: holds === 'text' ? personal('text', shown) : shown });
    },
    indexed: () => next({ index: 'plain' }),
    purged: () => next({ isPurged: true }),
    unique: () => next({ index: 'unique' }),
    later: () => next({ isLater: true }),
  };
  return result as F;
}

const plain = {
  create: 'required',
  update: true,
  role: 'own',
  initial: undefined,
  personal: undefined,
  index: undefined,
  isLater: false,
  isPurged: false,
} as const;

const writableField = <T, S, In extends z.ZodType, Out extends z.ZodType = In>(
  stored: Column,
  schema: In,
  shown?: Out,
): WritableField<T, S, In, Out> => define({ ...plain, column: stored, input: schema, shown: shown ?? schema });

const readOnlyField = <T, Out extends z.ZodType, ColumnRole extends FieldTypes['column'] = 'own'>(
  stored: Column | undefined,
  shown: Out,
  parts: Partial<FieldParts>,
): ReadOnlyField<T, Out, ColumnRole> =>
  define({ ...plain, column: stored, input: z.never(), shown, create: 'never', update: false, ...parts });

/**
 * The fields of a resource. A builder takes the schema of the values that callers give. Answers show values of the same
 * schema, unless `shown` gives another schema.
 * @example name: field.key(z.string().min(1).max(200)), notes: field.text(z.string().max(2000)).default('').personal('text')
 */
export const field = {
  /** The id of the resource, `nte_…`, in the column `id`, whatever the name of the field. Every resource has one. */
  ownId: (prefix: string): ReadOnlyField<string, z.ZodString, 'id'> =>
    readOnlyField(column.id(prefix), z.string().describe(`Prefix ${prefix}_.`), { role: 'id' }),
  /** The id of another resource. */
  reference: (prefix: string): WritableField<string, string, z.ZodString, z.ZodString> =>
    writableField(column.id(prefix), idOf(prefix), z.string()),
  /** One of a few words of at most 40 characters: a state, a kind. */
  word: <S extends z.ZodType<string>>(schema: S): WritableField<z.output<S>, z.output<S>, S> =>
    writableField(column.word(), schema),
  /** Up to 200 characters, compared byte by byte: names, keys. The schema must refuse longer ones. */
  key: <S extends z.ZodType<string>>(schema: S): WritableField<string, string, S> =>
    writableField(column.key(), schema),
  /** Text of any length. */
  text: <S extends z.ZodType<string>>(schema: S): WritableField<string, string, S> =>
    writableField(column.text(), schema),
  /** An address of at most 320 characters, by which a person is found; stored normalised. */
  address: <S extends z.ZodType<string> = typeof emailAddress>(
    schema?: S,
  ): WritableField<string, string, S, z.ZodString> =>
    writableField(column.address(), schema ?? (emailAddress as z.ZodType as S), z.string()),
  /** A value that is stored as JSON. */
  json: <S extends z.ZodType>(schema: S): WritableField<z.output<S>, string, S> => writableField(column.json(), schema),
  /** A whole number. */
  integer: <S extends z.ZodType<number>>(schema: S): WritableField<number, number, S> =>
    writableField(column.integer(), schema),
  /** True or false. */
  flag: <S extends z.ZodType<boolean> = z.ZodBoolean>(schema?: S): WritableField<boolean, number, S> =>
    writableField(column.flag(), schema ?? (z.boolean() as z.ZodType as S)),
  /** A time: milliseconds in rows, ISO 8601 on the wire. */
  time: <S extends z.ZodType<number> = typeof timeInput>(
    schema?: S,
  ): WritableField<number, number, S, typeof isoTime> =>
    writableField(column.time(), schema ?? (timeInput as z.ZodType as S), isoTime),
  /** Counts the changes of a row, from 1. Updates then take If-Match and `expectedVersion`, and answers carry an ETag. */
  version: (shown: z.ZodInt = z.int().describe('Counts the changes.')): ReadOnlyField<number, z.ZodInt, 'version'> =>
    readOnlyField(column.integer(), shown, { role: 'version', initial: 1 }),
  /** When the row was created. Every resource has the column `created_at`; this field shows it. */
  createdAt: (): ReadOnlyField<number, typeof isoTime, 'time'> =>
    readOnlyField(column.time(), isoTime, { role: 'created_at' }),
  /** When the row was changed last. Every resource has the column `updated_at`; this field shows it. */
  updatedAt: (): ReadOnlyField<number, typeof isoTime, 'time'> =>
    readOnlyField(column.time(), isoTime, { role: 'updated_at' }),
  /** A field without a column: the resource's `computed` returns its value. */
  computed: <S extends z.ZodType>(shown: S): ReadOnlyField<never, S, 'none'> =>
    readOnlyField(undefined, shown, { role: 'computed' }),
} as const;
