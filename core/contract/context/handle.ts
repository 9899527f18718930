// The access of stores to the database: prepared statements and a Kysely builder on a handle that is bound to one workspace. A
// handle must not be used after its transaction or read has ended.
import type { Compilable, Kysely } from 'kysely';
import type { Tables } from '../open.ts';

/** A statement that is compiled once per database. `P`: the type of its parameters. `R`: the type of its rows. */
export interface Statement<P, R> {
  readonly build: (db: Kysely<Tables>, p: P) => Compilable<R>;
}

/**
 * Declares a statement that runs often. `p.name` is a parameter: use it in place of a value.
 * The handle adds the condition on `workspace_id`. For an insert, it supplies the parameter `workspace_id`.
 * @example const byKey = defineStatement((db, p: { key: string }) =>
 *   db.selectFrom('notes').selectAll().where('key', '=', p.key));
 */
export function defineStatement<P extends object, R>(
  build: (db: Kysely<Tables>, p: P) => Compilable<R>,
): Statement<P, R> {
  return { build };
}

/** The parameters that the caller passes. The handle itself binds the workspace. */
export type StatementParameters<P> = Omit<P, 'workspace_id'>;

/** A connection with statements and a query builder. */
export interface Handle {
  /** The builder for statements whose shape varies (lists with filters). It executes them on this handle's connection. */
  readonly db: Kysely<Tables>;
  /** Returns the first row, or undefined. */
  one<P, R>(statement: Statement<P, R>, parameters: StatementParameters<P>): Promise<R | undefined>;
  all<P, R>(statement: Statement<P, R>, parameters: StatementParameters<P>): Promise<R[]>;
  /** Runs a write at once. Returns the number of changed rows. */
  run<P>(statement: Statement<P, unknown>, parameters: StatementParameters<P>): Promise<number>;
  /**
   * Defers a write to the end of the transaction, where all deferred writes are sent in as few round trips as possible. For
   * rows that no other code in the same call reads or depends on. Only inside a transaction.
   */
  defer<P>(statement: Statement<P, unknown>, parameters: StatementParameters<P>): void;
}

/**
 * A handle for one workspace. Every statement that it runs is bound to that workspace and, on tables with sides, to the live
 * or the sandbox side. Inserts set both columns. Statements need no condition on `workspace_id` or `sandbox`, and cannot reach
 * other rows.
 */
export interface WorkspaceHandle extends Handle {
  readonly workspaceId: string;
  /** True on the sandbox side, false on the live side, undefined if the handle reaches both sides. */
  readonly sandbox: boolean | undefined;
  /**
   * Returns a handle on one side of the same workspace, in the same transaction. It needs no reason, because the code names the
   * side and each statement still reaches only one side. `bothSides` and `unscoped` reach more, so they require a reason.
   */
  onSide(sandbox: boolean): WorkspaceHandle;
  /** Returns a handle on both sides of the same workspace. `reason` documents why. Inserts must set the side of new rows. */
  bothSides(reason: string): WorkspaceHandle;
  /**
   * Returns a handle on every workspace, for the service's own work. `reason` documents why. Only this handle accepts raw SQL.
   */
  unscoped(reason: string): Handle;
}
