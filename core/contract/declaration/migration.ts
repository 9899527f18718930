// Migrations as data: numbered, and never changed after their release. Expand first, contract in a later release. One
// declaration serves every SQL dialect; the core compiles it and prints it for --dry-run.

/**
 * A column's kind. id: 40 characters; key: 200 characters and address: 320 characters, compared byte by byte; text: any
 * length; json: text that contains JSON; integer and time (milliseconds): 64 bits; flag: 0 or 1; bytes: a blob.
 */
export type ColumnKind = 'id' | 'key' | 'address' | 'text' | 'json' | 'integer' | 'time' | 'flag' | 'bytes';

/** A column's kind. A question mark at the end makes the column nullable. */
export type ColumnType = ColumnKind | `${ColumnKind}?`;

/** One change of the schema. Table names are given without the prefix. */
export type SchemaChange =
  | {
      readonly create: string;
      readonly columns: Readonly<Record<string, ColumnType>>;
      readonly primaryKey: readonly string[];
      /**
       * Stores the rows in the order of the primary key, if the database supports it. For small rows that are read by ranges
       * of the key.
       */
      readonly clustered?: boolean;
    }
  | {
      readonly index: string;
      readonly on: string;
      readonly columns: readonly string[];
      readonly unique?: boolean;
      /**
       * A nullable column that is null in most rows. On SQLite and PostgreSQL the index is then partial and leaves out the rows
       * with null. (Default: every row is in the index)
       */
      readonly present?: string;
    }
  | { readonly alter: string; readonly add: Readonly<Record<string, `${ColumnKind}?`>> }
  | { readonly alter: string; readonly remove: readonly string[] }
  | { readonly drop: string }
  | { readonly dropIndex: string; readonly on: string };

/**
 * Whether processes of the previous release can work with the new schema. `expand`: they can. `contract`: the migration
 * removes something that they use, so they refuse to open the database. There is no rename: add the new column, copy the
 * data, and remove the old column one release later.
 */
export type Compatibility = 'expand' | 'contract';

/** A numbered step of the schema. */
export interface Migration {
  /** Such as `0001-create-notes`. Unique and ascending within its plugin. */
  readonly id: string;
  readonly changes: readonly SchemaChange[];
  /** A change that removes something is refused unless this is `contract`. (Default: 'expand') */
  readonly compatibility?: Compatibility;
}

export function defineMigration(migration: Migration): Migration {
  return migration;
}
