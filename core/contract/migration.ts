// Migrations as data: numbered, unchanged once released, expand before contract. One declaration serves every SQL
// dialect; the core compiles it and prints it for --dry-run.

/**
 * A column's kind, `?` where it may be null. id: 40 characters; key: 200, address: 320 characters compared byte by byte;
 * text: any length; json: text holding JSON; integer and time (milliseconds): 64 bits; flag: 0 or 1; bytes: a blob.
 */
export type ColumnKind = 'id' | 'key' | 'address' | 'text' | 'json' | 'integer' | 'time' | 'flag' | 'bytes';

/** A kind; the question mark makes it nullable. */
export type ColumnType = ColumnKind | `${ColumnKind}?`;

/** One change of the schema. Table names are given without the prefix. */
export type SchemaChange =
  | {
      readonly create: string;
      readonly columns: Readonly<Record<string, ColumnType>>;
      readonly primaryKey: readonly string[];
      /**
       * Stores the rows in the order of the key, where the database supports it: for small rows that are read by key
       * ranges.
       */
      readonly clustered?: boolean;
    }
  | {
      readonly index: string;
      readonly on: string;
      readonly columns: readonly string[];
      readonly unique?: boolean;
      /**
       * A nullable column that few rows have: a partial index on it (SQLite, PostgreSQL) costs the other rows nothing.
       * (Default: every row is in the index)
       */
      readonly present?: string;
    }
  | { readonly alter: string; readonly add: Readonly<Record<string, `${ColumnKind}?`>> }
  | { readonly alter: string; readonly remove: readonly string[] }
  | { readonly drop: string }
  | { readonly dropIndex: string; readonly on: string };

/**
 * Whether processes of the previous release keep working on the new schema. `expand`: they do. `contract`: something
 * that they use is removed, so they refuse to open the database. There is no rename: add, copy, and remove a release
 * later.
 */
export type Compatibility = 'expand' | 'contract';

/** A numbered step. */
export interface Migration {
  /** `0001-create-notes`; unique and ascending within its plugin. */
  readonly id: string;
  readonly changes: readonly SchemaChange[];
  /** A change that removes something is refused unless this is `contract`. (Default: 'expand') */
  readonly compatibility?: Compatibility;
}

/** Declares a migration. */
export function defineMigration(migration: Migration): Migration {
  return migration;
}
