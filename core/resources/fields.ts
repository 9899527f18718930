// The fields of a resource, for `defineResource`: each says its column, what callers may give, what they see, and whether it is
// personal data. Pure declarations; a field never reads or writes anything.
import { emailAddress } from '../contract/addresses.ts';
import type { OperationContext } from '../contract/context.ts';
import { givenTime, idOf, isoTime } from '../contract/fields.ts';
import { type PersonalColumn, personal } from '../contract/personal-fields.ts';
import * as z from '../contract/zod.ts';
import { type Column, column } from './columns.ts';
import { erasable } from './erasable.ts';

/** What a field is in types. */
export interface FieldTypes {
  /** The value in rows. */
  readonly row: unknown;
  /** The value in the database. */
  readonly stored: unknown;
  readonly given: z.ZodType;
  /** Undefined: callers do not see it. */
  readonly shown: z.ZodType | undefined;
  readonly create: 'required' | 'optional' | 'never';
  readonly update: boolean;
  /** `id`: the id of the resource itself. `time`: a column that every resource has. `none`: computed, without a column. */
  readonly column: 'own' | 'id' | 'version' | 'time' | 'none';
}

/** The value of a column of a new row that no caller gives. */
export type Initial<T> = T | ((ctx: OperationContext) => T);

/** What the kit knows of a field at run time. */
export interface FieldParts {
  readonly column: Column | undefined;
  readonly given: z.ZodType;
  readonly shown: z.ZodType | undefined;
  readonly create: FieldTypes['create'];
  readonly update: boolean;
  readonly role: 'own' | 'id' | 'version' | 'created_at' | 'updated_at' | 'computed';
  /** The value where none is given; undefined for fields that must be given. */
  readonly initial: Initial<unknown>;
  readonly personal: PersonalColumn | undefined;
  readonly index: 'plain' | 'unique' | undefined;
  /** Whether a later migration adds the column. */
  readonly isLater: boolean;
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

/** A field of a resource. Each method answers another field. */
export interface Field<D extends FieldTypes> extends AnyField {
  readonly types?: D;
  /** Null is a value, in the column and on the wire. Call it before `default`. */
  nullable(): Field<
    Change<
      D,
      {
        row: D['row'] | null;
        stored: D['stored'] | null;
        given: NullableType<D['given']> & z.ZodType;
        shown: NullableType<D['shown']>;
      }
    >
  >;
  /** What a new row has where the caller leaves the field out. Without it a create must give the field. */
  default(value: z.output<D['given']>): Field<Change<D, { create: 'optional' }>>;
  /** No caller gives it: a new row has `initial`, and hooks change it. */
  readOnly(initial: Initial<D['row']>): Field<Change<D, { create: 'never'; update: false }>>;
  /** Given when the row is made, and never changed by a caller. */
  immutable(): Field<Change<D, { update: false }>>;
  /** Not given when the row is made, which has `initial` then: only changes give it. */
  onlyUpdate(initial: Initial<D['row']>): Field<Change<D, { create: 'never' }>>;
  /** Callers do not see it. */
  hidden(): Field<Change<D, { shown: undefined }>>;
  /** What callers see, where its schema differs from what they give. Call it after `nullable`. */
  shown<S extends z.ZodType>(schema: S): Field<Change<D, { shown: S }>>;
  /**
   * Its personal data (`PersonalColumn`). Words of a table that names no person are searched when one is erased. What callers
   * see of words and mentions has no limits, which an erasure could break. Call it after `shown`.
   */
  personal(holds: PersonalColumn): Field<D>;
  /** Has an index, for filters and for finding a person's rows. */
  indexed(): Field<D>;
  /** No two rows of a workspace have the same value. */
  unique(): Field<D>;
  /** The first migration lacks the column: a later one adds it. For a field that comes after a release. */
  later(): Field<D>;
}

/** The parts of a field's types that most builders share. */
type Given<T, S, In extends z.ZodType, Out extends z.ZodType = In> = Field<{
  readonly row: T;
  readonly stored: S;
  readonly given: In;
  readonly shown: Out;
  readonly create: 'required';
  readonly update: true;
  readonly column: 'own';
}>;
/** A field that no caller gives. */
type Own<T, Out extends z.ZodType, Place extends FieldTypes['column'] = 'own'> = Field<{
  readonly row: T;
  readonly stored: T;
  readonly given: z.ZodNever;
  readonly shown: Out;
  readonly create: 'never';
  readonly update: false;
  readonly column: Place;
}>;

function define<F>(parts: FieldParts): F {
  const next = (changes: Partial<FieldParts>) => define<never>({ ...parts, ...changes });
  const made: Field<FieldTypes> = {
    parts,
    nullable: () =>
      next({
        column: parts.column?.nullable(),
        given: parts.given.nullable(),
        shown: parts.shown?.nullable(),
      }),
    default: (value) => next({ create: 'optional', initial: value }),
    readOnly: (initial) => next({ create: 'never', update: false, initial }),
    immutable: () => next({ update: false }),
    onlyUpdate: (initial) => next({ create: 'never', initial }),
    hidden: () => next({ shown: undefined }),
    shown: (schema) => next({ shown: schema }),
    personal: (holds) => {
      if ((holds !== 'words' && holds !== 'mentions') || parts.shown === undefined) return next({ personal: holds });
      const shown = erasable(parts.shown);
      // Stored answers lose what callers wrote about an erased person.
      return next({ personal: holds, shown: holds === 'words' ? personal('words', shown) : shown });
    },
    indexed: () => next({ index: 'plain' }),
    unique: () => next({ index: 'unique' }),
    later: () => next({ isLater: true }),
  };
  return made as F;
}

const plain = {
  create: 'required',
  update: true,
  role: 'own',
  initial: undefined,
  personal: undefined,
  index: undefined,
  isLater: false,
} as const;

const given = <T, S, In extends z.ZodType, Out extends z.ZodType = In>(
  stored: Column,
  schema: In,
  shown?: Out,
): Given<T, S, In, Out> => define({ ...plain, column: stored, given: schema, shown: shown ?? schema });

const own = <T, Out extends z.ZodType, Place extends FieldTypes['column'] = 'own'>(
  stored: Column | undefined,
  shown: Out,
  rest: Partial<FieldParts>,
): Own<T, Out, Place> =>
  define({ ...plain, column: stored, given: z.never(), shown, create: 'never', update: false, ...rest });

/**
 * The fields of a resource. A builder takes the schema of the values that callers give. Answers show
 * values of the same schema, unless `shown` names another.
 * @example name: field.key(z.string().min(1).max(200)), notes: field.text(z.string().max(2000)).default('').personal('words')
 */
export const field = {
  /** The id of the resource, `nte_…`, in the column `id` whatever the field is called. Every resource has one. */
  ownId: (prefix: string): Own<string, z.ZodString, 'id'> =>
    own(column.id(prefix), z.string().describe(`Prefix ${prefix}_.`), { role: 'id' }),
  /** The id of another resource. */
  reference: (prefix: string): Given<string, string, z.ZodString, z.ZodString> =>
    given(column.id(prefix), idOf(prefix), z.string()),
  /** One of a few words of at most 40 characters: a state, a kind. */
  word: <S extends z.ZodType<string>>(schema: S): Given<z.output<S>, z.output<S>, S> => given(column.word(), schema),
  /** Up to 200 characters, compared byte by byte: names, keys. */
  key: <S extends z.ZodType<string>>(schema: S): Given<string, string, S> => given(column.key(), schema),
  /** Text of any length. */
  text: <S extends z.ZodType<string>>(schema: S): Given<string, string, S> => given(column.text(), schema),
  /** An address of at most 320 characters, by which a person is found; stored normalised. */
  address: <S extends z.ZodType<string> = typeof emailAddress>(schema?: S): Given<string, string, S, z.ZodString> =>
    given(column.address(), schema ?? (emailAddress as z.ZodType as S), z.string()),
  /** A value that is stored as JSON. */
  json: <S extends z.ZodType>(schema: S): Given<z.output<S>, string, S> => given(column.json(), schema),
  /** A whole number. */
  integer: <S extends z.ZodType<number>>(schema: S): Given<number, number, S> => given(column.integer(), schema),
  /** True or false. */
  flag: <S extends z.ZodType<boolean> = z.ZodBoolean>(schema?: S): Given<boolean, number, S> =>
    given(column.flag(), schema ?? (z.boolean() as z.ZodType as S)),
  /** A time: milliseconds in rows, ISO 8601 on the wire. */
  time: <S extends z.ZodType<number> = typeof givenTime>(schema?: S): Given<number, number, S, typeof isoTime> =>
    given(column.time(), schema ?? (givenTime as z.ZodType as S), isoTime),
  /** Counts the changes of a row, from 1. Updates then take If-Match and `expectedVersion`, and answers carry an ETag. */
  version: (shown: z.ZodInt = z.int().describe('Counts the changes.')): Own<number, z.ZodInt, 'version'> =>
    own(column.integer(), shown, { role: 'version', initial: 1 }),
  /** When the row was made. Every resource has the column `created_at`; this field shows it. */
  createdAt: (): Own<number, typeof isoTime, 'time'> => own(column.time(), isoTime, { role: 'created_at' }),
  /** When the row was changed last. Every resource has the column `updated_at`; this field shows it. */
  updatedAt: (): Own<number, typeof isoTime, 'time'> => own(column.time(), isoTime, { role: 'updated_at' }),
  /** Without a column: the resource's `computed` answers it. */
  computed: <S extends z.ZodType>(shown: S): Own<never, S, 'none'> => own(undefined, shown, { role: 'computed' }),
} as const;
