// Deletes old rows of tables that have no index on time alone: one workspace after another, along their (workspace_id,
// time) index. Costs one look-up for each workspace, and inserts need no additional index. Called by schedules.
import type { Core } from '../pipeline/core.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { filledList } from '../storage/filled-list.ts';
import { primaryKeyOf } from '../storage/primary-key.ts';
import { sideColumn, unscoped } from '../storage/scope.ts';
import { type AnyTable, batchSize } from './purge.ts';

/** The live or the sandbox side of a workspace; undefined for rows of tables without sides. */
type Side = boolean | undefined;

/** The rows to delete, and the rows of other tables that are deleted with them. */
export interface WorkspacePurgeRequest {
  readonly table: string;
  readonly column: string;
  /** Rows whose column is less than this are deleted. */
  readonly before: number;
  /** Tables with dependent rows, which are deleted too, and their column that contains the id of the deleted row. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** The number of workspaces that one statement reads. */
const pageSize = 250;
/** The largest number of workspaces in one transaction, which deletes at most one batch of rows. */
const maxWorkspacesTogether = 25;

/**
 * The next workspaces with the time of their oldest row to delete on this side, or null. Rows without a time are not
 * deleted; some databases sort them first.
 */
function oldestRows(database: Database, { table, column, before }: WorkspacePurgeRequest, side: Side, after: string) {
  return database.read(unscoped('the schedule finds old rows in every workspace'), ({ db }) =>
    (db as unknown as AnyTable)
      .selectFrom('workspaces')
      .select('id')
      .select((builder) =>
        builder
          .selectFrom(table)
          .select(`${table}.${column}`)
          .whereRef(`${table}.workspace_id`, '=', 'workspaces.id')
          .where(`${table}.${column}`, '<', before)
          .$if(side !== undefined, (query) => query.where(`${table}.${sideColumn}`, '=', Number(side)))
          .orderBy(`${table}.${column}`)
          .limit(1)
          .as('oldest'),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute(),
  );
}

interface WorkspaceBatch {
  readonly workspaceId: string;
  readonly side: Side;
  readonly limit: number;
  readonly idColumn: string;
}

/**
 * Deletes the oldest rows of one workspace, `limit` at most. Returns how many rows were found and how many were
 * deleted: other processes may purge too.
 */
async function purgeBatch(
  scope: TransactionScope,
  { table, column, before, parts = {} }: WorkspacePurgeRequest,
  { workspaceId, side, limit, idColumn }: WorkspaceBatch,
): Promise<{ readonly found: number; readonly deleted: number }> {
  const db = scope.handle({ workspaceId, sandbox: side }).db as unknown as AnyTable;
  const rows = await db
    .selectFrom(table)
    .select([idColumn, column])
    .where(column, '<', before)
    .orderBy(column)
    .limit(limit)
    .execute();
  const last = rows.at(-1)?.[column];
  if (last === undefined) return { found: 0, deleted: 0 };
  const ids = filledList(rows.map((row) => row[idColumn] as string));
  for (const [part, owner] of Object.entries(parts)) {
    await db.deleteFrom(part).where(owner, 'in', ids).execute();
  }
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where(column, '<=', last)
    .where(idColumn, 'in', ids)
    .executeTakeFirstOrThrow();
  return { found: rows.length, deleted: Number(numDeletedRows) };
}

/**
 * Deletes the requested rows and their parts. Returns the number of deleted rows, without counting their parts. Stops between two
 * batches when the signal is aborted.
 */
export async function purgeByWorkspace(
  core: Core,
  database: Database,
  request: WorkspacePurgeRequest,
  signal: AbortSignal,
): Promise<number> {
  // The index of a table with sides begins with workspace and side.
  const sides = core.registry.tables.get(request.table)?.sides === true ? [false, true] : [undefined];
  let deletedCount = 0;
  for (const side of sides) deletedCount += await purgeSide(core, database, request, side, signal);
  return deletedCount;
}

async function purgeSide(
  core: Core,
  database: Database,
  request: WorkspacePurgeRequest,
  side: Side,
  signal: AbortSignal,
): Promise<number> {
  const idColumn = primaryKeyOf(core.registry.migrations, request.table).at(-1) ?? 'id';
  let deletedCount = 0;
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted; ) {
    const workspaces = await oldestRows(database, request, side, after);
    const due = workspaces.filter(({ oldest }) => oldest !== null);
    while (due.length > 0 && !signal.aborted) {
      const batch = due.slice(0, maxWorkspacesTogether);
      const { deleted, emptiedCount } = await database.transact(async (scope) => {
        const deletedInBatch = { deleted: 0, emptiedCount: 0 };
        let remaining = batchSize;
        for (const { id } of batch) {
          const { found, deleted } = await purgeBatch(scope, request, {
            workspaceId: id as string,
            side,
            limit: remaining,
            idColumn,
          });
          deletedInBatch.deleted += deleted;
          if (found === remaining) break;
          remaining -= found;
          deletedInBatch.emptiedCount += 1;
        }
        return deletedInBatch;
      });
      deletedCount += deleted;
      due.splice(0, emptiedCount);
    }
    after = workspaces.length < pageSize ? undefined : (workspaces.at(-1)?.id as string);
  }
  return deletedCount;
}
