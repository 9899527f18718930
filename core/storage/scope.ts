// The rows that a handle's statements may reach: one side of a workspace, both sides of it, or every workspace. Made
// with the handle; scoped-statements.ts turns it into conditions.

/** One workspace. */
export interface WorkspaceScope {
  readonly workspaceId: string;
  /** True for the sandbox side, false for the live side; undefined for both. */
  readonly sandbox: boolean | undefined;
}

/** Every workspace, for work of the service itself. */
export interface Unscoped {
  /** The reason why the work cannot be bound to one workspace, for readers of the code. */
  readonly unscoped: string;
}

/** The reach of a handle. */
export type HandleScope = WorkspaceScope | Unscoped;

/** Whether statements are bound to one workspace. */
export const isWorkspaceScope = (scope: HandleScope): scope is WorkspaceScope => 'workspaceId' in scope;

/** One side of a workspace. */
export const oneSide = (workspaceId: string, sandbox: boolean): WorkspaceScope => ({ workspaceId, sandbox });

/** Both sides of a workspace, with a reason. @throws TypeError when the reason is empty */
export function bothSides(workspaceId: string, reason: string): WorkspaceScope {
  assertReason(reason);
  return { workspaceId, sandbox: undefined };
}

/** Every workspace. @throws TypeError when the reason is empty */
export function unscoped(reason: string): Unscoped {
  assertReason(reason);
  return { unscoped: reason };
}

function assertReason(reason: string): void {
  if (reason.trim() === '')
    throw new TypeError('Give the reason why the work is not limited to one side of one workspace.');
}

/** Turns the id of a workspace into a scope of both of its sides, for tables without sides. */
export const scopeOf = (scope: HandleScope | string): HandleScope =>
  typeof scope === 'string' ? { workspaceId: scope, sandbox: undefined } : scope;

/** How a table stores the rows of workspaces. */
export interface TableScope {
  /** The column that names the workspace. */
  readonly column: string;
  /** Whether the column `sandbox` contains the side of a row. */
  readonly sides: boolean;
  /**
   * On SQLite, the column that is the primary key by itself; undefined if the key has several columns, and on other
   * databases. Statements that list its values seek each of them.
   */
  readonly soughtKey?: string | undefined;
}

/** The tables that contain rows of workspaces, by name without the prefix. */
export type TableScopes = ReadonlyMap<string, TableScope>;

/** The column of a table with sides: 1 on the sandbox side, 0 on the live side. */
export const sideColumn = 'sandbox';
