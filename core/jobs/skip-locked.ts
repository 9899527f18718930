// Selections of rows by several processes at the same time. Each process locks the rows that it selects, and skips
// rows that another process has locked. A database without such locks runs the plain statement: it allows one writing
// transaction at a time.
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { defineStatement, type Statement } from '../contract/context/handle.ts';
import type { Tables } from '../contract/open.ts';
import type { StorageAdapter } from '../contract/ports/storage.ts';

/** One selection in two forms. */
export interface SkippingLocked<Form> {
  /** Locks the rows and skips locked ones. */
  readonly locking: Form;
  /** Locks nothing. */
  readonly plain: Form;
}

/** Both forms of a selection of jobs. */
export function defineSkipLocked<P extends object, Row>(
  select: (db: Kysely<Tables>, p: P) => SelectQueryBuilder<Tables, 'jobs', Row>,
): SkippingLocked<Statement<P, Row>> {
  return {
    locking: defineStatement((db, p: P) => select(db, p).forUpdate().skipLocked()),
    plain: defineStatement(select),
  };
}

/** The form for a database. */
export function formFor<Form>(adapter: StorageAdapter, { locking, plain }: SkippingLocked<Form>): Form {
  return adapter.capabilities.skipLocked ? locking : plain;
}
