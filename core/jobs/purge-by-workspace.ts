// Deletes old rows of tables that have no index on time alone: one workspace after another, along their
// (workspace_id, time) index. Costs a look-up for each workspace and no more of what is accepted. Called by schedules.
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { primaryKeyOf } from '../storage/primary-key.ts';
import type { AnyTable } from './purge.ts';
import { batch } from './purge.ts';

/** Which rows go, and what goes with them. */
export interface WorkspacePurgeOrder {
  readonly table: string;
  readonly column: string;
  /** Rows whose column is less than this go. */
  readonly before: number;
  /** Tables whose rows belong to those that go, with the column that names the row they belong to. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** So many workspaces are looked at in one statement. */
const lookedAt = 250;

/** The next workspaces with the time of their oldest row, or null. */
function oldestRows(database: Database, { table, column }: WorkspacePurgeOrder, after: string) {
  return database.read(undefined, ({ db }) =>
    (db as unknown as AnyTable)
      .selectFrom('workspaces')
      .select('id')
      .select((builder) =>
        builder
          .selectFrom(table)
          .select(`${table}.${column}`)
          .whereRef(`${table}.workspace_id`, '=', 'workspaces.id')
          .orderBy(`${table}.${column}`)
          .limit(1)
          .as('oldest'),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(lookedAt)
      .execute(),
  );
}

/** A batch of one workspace; answers how many rows of the table itself went. */
function purgeSome(core: Core, database: Database, order: WorkspacePurgeOrder, workspaceId: string): Promise<number> {
  const { table, column, before, parts = {} } = order;
  const id = primaryKeyOf(core.registry.migrations, table).at(-1) ?? 'id';
  return database.transact(async (scope) => {
    const db = scope.handle(workspaceId).db as unknown as AnyTable;
    const rows = await db
      .selectFrom(table)
      .select([id, column])
      .where('workspace_id', '=', workspaceId)
      .where(column, '<', before)
      .orderBy(column)
      .limit(batch)
      .execute();
    const last = rows.at(-1)?.[column];
    if (last === undefined) return 0;
    const ids = rows.map((row) => row[id] as string);
    for (const [part, owner] of Object.entries(parts)) {
      await db.deleteFrom(part).where('workspace_id', '=', workspaceId).where(owner, 'in', ids).execute();
    }
    await db
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where(column, '<=', last)
      .where(id, 'in', ids)
      .execute();
    return rows.length;
  });
}

/** Answers how many rows went, without their parts. Stops between two batches when the signal ends. */
export async function purgeByWorkspace(
  core: Core,
  database: Database,
  order: WorkspacePurgeOrder,
  signal: AbortSignal,
): Promise<number> {
  let gone = 0;
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted; ) {
    const workspaces = await oldestRows(database, order, after);
    for (const { id, oldest } of workspaces) {
      if (oldest === null || Number(oldest) >= order.before) continue;
      for (let went = batch; went >= batch && !signal.aborted; gone += went) {
        went = await purgeSome(core, database, order, id as string);
      }
    }
    after = workspaces.length < lookedAt ? undefined : (workspaces.at(-1)?.id as string);
  }
  return gone;
}
