// Reads the database settings for the snapshots of a connection's transactions. Called by pipeline/budget-locks.ts.
import { sql } from 'kysely';
import type { WorkspaceHandle } from '../contract/context/handle.ts';

const settings = sql<{ Variable_name: string; Value: string }>`
  show session variables where variable_name in ('transaction_isolation', 'tx_isolation', 'innodb_snapshot_isolation')`;

const postgresIsolation = sql<{ isolation: string }>`select current_setting('transaction_isolation') as isolation`;

/** Whether all statements of the handle's transaction on PostgreSQL read the snapshot of the first statement. */
export async function readsOneSnapshot(handle: WorkspaceHandle): Promise<boolean> {
  const { rows } = await postgresIsolation.execute(
    handle.unscoped('the settings of the session are not rows of a workspace').db,
  );
  return rows[0]?.isolation !== 'read committed';
}

/**
 * The settings of a handle's connection on MySQL or MariaDB. `isSnapshotFatal`: whether locking a row that is newer
 * than the snapshot ends the transaction.
 */
export async function readSnapshotSettings(handle: WorkspaceHandle) {
  const { rows } = await settings.execute(
    handle.unscoped('the settings of the session are not rows of a workspace').db,
  );
  const values = new Map(rows.map((row) => [row.Variable_name, row.Value]));
  return {
    isolation: values.get('transaction_isolation') ?? values.get('tx_isolation'),
    isSnapshotFatal: values.get('innodb_snapshot_isolation') === 'ON',
  };
}
