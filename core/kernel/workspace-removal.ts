// Deletes all rows of a workspace, in batches so that other writers never wait long. Called by provisioning only.
import type { Kysely } from 'kysely';
import type { Core } from '../pipeline/core.ts';
import { filledList } from '../storage/filled-list.ts';
import { isKeyedBy, primaryKeyOf } from '../storage/primary-key.ts';
import { unscoped } from '../storage/scope.ts';

const unscopedReason = unscoped('the workspace is deleted with all its rows');

const batchSize = 500;

type AnyTable = Kysely<Record<string, Record<string, string>>>;

/** If there is no index by workspace, one statement reads this many rows, of all workspaces. */
const pageSize = 5_000;

/** A column that identifies a row of a tenant's table: the first column of its primary key apart from the workspace. */
const keyColumnOf = (core: Core, table: string): string =>
  primaryKeyOf(core.registry.migrations, table).find((name) => name !== 'workspace_id') ?? 'workspace_id';

/** Walks the whole table once, page by page along its primary key: no index begins with the workspace. */
async function removeAlongKey(core: Core, table: string, workspaceId: string): Promise<void> {
  const database = await core.database();
  const column = keyColumnOf(core, table);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const rows = await database.read(unscopedReason, ({ db }) =>
      (db as unknown as AnyTable)
        .selectFrom(table)
        .select([column, 'workspace_id'])
        .where(column, '>', from)
        .orderBy(column)
        .limit(pageSize)
        .execute(),
    );
    const ownKeys = rows.filter((row) => row.workspace_id === workspaceId).map((row) => row[column] as string);
    const keys = [...new Set(ownKeys)];
    for (let start = 0; start < keys.length; start += batchSize) {
      const batchKeys = keys.slice(start, start + batchSize);
      await database.transact(async (scope) => {
        const db = scope.handle(workspaceId).db as unknown as AnyTable;
        await db.deleteFrom(table).where(column, 'in', filledList(batchKeys)).execute();
      });
    }
    after = rows.length < pageSize ? undefined : rows.at(-1)?.[column];
  }
}

async function removeRows(core: Core, table: string, workspaceId: string): Promise<void> {
  if (!isKeyedBy(core.registry.migrations, table, ['workspace_id'])) return removeAlongKey(core, table, workspaceId);
  const database = await core.database();
  const column = keyColumnOf(core, table);
  let removedCount = batchSize;
  while (removedCount === batchSize) {
    removedCount = await database.transact(async (scope) => {
      const db = scope.handle(workspaceId).db as unknown as AnyTable;
      const rows = await db.selectFrom(table).select(column).limit(batchSize).execute();
      const keys = [...new Set(rows.map((row) => row[column] as string))];
      if (keys.length > 0) {
        await db.deleteFrom(table).where(column, 'in', filledList(keys)).execute();
      }
      return rows.length;
    });
  }
}

/**
 * Deletes the rows of every composed plugin, then the workspace. The caller has suspended it; the second pass deletes the rows
 * that running calls committed meanwhile. It can be repeated after a failure.
 */
export async function removeWorkspace(core: Core, workspaceId: string): Promise<void> {
  const tables = [...core.registry.tables].flatMap(([table, { tenant }]) => (tenant ? [table] : []));
  // Keys first: from then on no request is authenticated.
  const orderedTables = ['api_keys', ...tables.filter((table) => table !== 'api_keys')];
  for (const table of [...orderedTables, ...orderedTables]) await removeRows(core, table, workspaceId);
  for (const plugin of core.registry.plugins) await plugin.workspaceRemoved?.(core, workspaceId);
  const database = await core.database();
  await database.transact(async (scope) => {
    await scope.handle(unscopedReason).db.deleteFrom('workspaces').where('id', '=', workspaceId).execute();
  });
  core.log.warn({ workspace_id: workspaceId }, 'a workspace was deleted with everything in it');
}
