// When keys were last used: gathered in memory, written in batches by the service's tick, never on the request path.
import type { Database } from '../storage/database.ts';

/** Times of last use that are not written yet. */
export interface KeyUsage {
  touch(keyId: string, workspaceId: string, now: number): void;
  flush(database: Database): Promise<void>;
}

/** Usage of this process. Written at most once a flush and key. */
export function createKeyUsage(): KeyUsage {
  const touched = new Map<string, { workspaceId: string; at: number }>();
  return {
    touch(keyId, workspaceId, at) {
      touched.set(keyId, { workspaceId, at });
    },
    async flush(database) {
      if (touched.size === 0) return;
      const taken = [...touched];
      touched.clear();
      await database.transact(async (scope) => {
        for (const [id, { workspaceId, at }] of taken) {
          await scope
            .handle(workspaceId)
            .db.updateTable('api_keys')
            .set({ last_used_at: at })
            .where('workspace_id', '=', workspaceId)
            .where('id', '=', id)
            .execute();
        }
      });
    },
  };
}
