// When keys were last used: gathered in memory, written in batches by the service's tick, never on the request path.
import type { Database } from '../storage/database.ts';

/** Times of last use that are not written yet. */
export interface KeyUsage {
  touch(keyId: string, workspaceId: string, now: number): void;
  /** Whether something is not written yet. */
  readonly pending: boolean;
  /** Writes everything in one transaction. Where that fails it is kept for the next time. @throws StorageError */
  flush(database: Database): Promise<void>;
}

interface Use {
  readonly workspaceId: string;
  readonly at: number;
}

async function write(database: Database, uses: readonly (readonly [string, Use])[]): Promise<void> {
  await database.transact(async (scope) => {
    for (const [id, { workspaceId, at }] of uses) {
      await scope
        .handle(workspaceId)
        .db.updateTable('api_keys')
        .set({ last_used_at: at })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    }
  });
}

/** Usage of this process. Written at most once a flush and key. */
export function createKeyUsage(): KeyUsage {
  const touched = new Map<string, Use>();
  return {
    touch(keyId, workspaceId, at) {
      touched.set(keyId, { workspaceId, at });
    },
    get pending() {
      return touched.size > 0;
    },
    async flush(database) {
      if (touched.size === 0) return;
      // In one order in every process: two that write the same keys never wait for each other.
      const taken = [...touched].sort(([one], [other]) => (one < other ? -1 : 1));
      touched.clear();
      try {
        await write(database, taken);
      } catch (error) {
        for (const [id, use] of taken) if (!touched.has(id)) touched.set(id, use);
        throw error;
      }
    },
  };
}
