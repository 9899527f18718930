// How stores reach the database: prepared statements and a Kysely builder on a handle that is bound to one workspace. A
// handle must not outlive its transaction or read.
import type { Compilable, Kysely } from 'kysely';
import type { Tables } from './open.ts';

/** A statement that is compiled once per database. `P`: its parameters, `R`: its row. */
export interface Statement<P, R> {
  readonly build: (db: Kysely<Tables>, p: P) => Compilable<R>;
}

/**
 * Declares a statement that runs often. `p.name` stands for a parameter: use it where a value would stand.
 * The handle adds the condition on `workspace_id`, and fills in an insert's parameter of that name.
 * @example const byKey = defineStatement((db, p: { key: string }) =>
 *   db.selectFrom('notes').selectAll().where('key', '=', p.key));
 */
export function defineStatement<P extends object, R>(
  build: (db: Kysely<Tables>, p: P) => Compilable<R>,
): Statement<P, R> {
  return { build };
}

/** The parameters that the caller gives: the handle itself binds the workspace. */
export type Given<P> = Omit<P, 'workspace_id'>;

/** A connection with statements and a query builder. */
export interface Handle {
  /** Builds statements whose shape varies (lists with filters). Executes on this handle's connection. */
  readonly db: Kysely<Tables>;
  /** The first row, or undefined. */
  one<P, R>(statement: Statement<P, R>, parameters: Given<P>): Promise<R | undefined>;
  all<P, R>(statement: Statement<P, R>, parameters: Given<P>): Promise<R[]>;
  /** Runs a write at once; answers how many rows changed. */
  run<P>(statement: Statement<P, unknown>, parameters: Given<P>): Promise<number>;
  /**
   * Defers a write to the end of the transaction, where all deferred writes go in as few round trips as possible. For
   * rows that nothing else in the same call reads or depends on. Only inside a transaction.
   */
  defer<P>(statement: Statement<P, unknown>, parameters: Given<P>): void;
}

/**
 * A handle for one workspace. Every statement that it runs is bound to that workspace and, on tables with sides, to the
 * live or the sandbox side; inserts fill in both columns. Statements need no condition on `workspace_id` or `sandbox`,
 * and cannot reach other rows.
 */
export interface WorkspaceHandle extends Handle {
  readonly workspaceId: string;
  /** True on the sandbox side, false on the live side, undefined where the handle reaches both. */
  readonly sandbox: boolean | undefined;
  /**
   * A handle on one side of the same workspace, in the same transaction. It asks for no reason: the side stands in the code, and no
   * statement reaches more than one, as before. What reaches more (`bothSides`, `unscoped`) says why.
   */
  onSide(sandbox: boolean): WorkspaceHandle;
  /** A handle on both sides of the same workspace. `reason` documents why. New rows must name their side. */
  bothSides(reason: string): WorkspaceHandle;
  /**
   * A handle on every workspace, for the service's own work. `reason` documents why. Only this handle accepts raw SQL.
   */
  unscoped(reason: string): Handle;
}
