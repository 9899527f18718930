// The times of last use of keys: collected in memory and written in batches by the service's tick, never on the request
// path.
import { defineStatement } from '../contract/context/handle.ts';
import type { Database } from '../storage/database.ts';

/** Times of last use that are not written yet. */
export interface KeyUsage {
  touch(keyId: string, workspaceId: string, now: number): void;
  /** Whether some times are not written yet. */
  readonly pending: boolean;
  /** Writes everything in batches. On failure the times are kept for the next flush. @throws StorageError */
  flush(database: Database): Promise<void>;
}

interface Use {
  readonly workspaceId: string;
  readonly at: number;
}

const setLastUsed = defineStatement((db, p: { id: string; at: number }) =>
  db.updateTable('api_keys').set({ last_used_at: p.at }).where('id', '=', p.id),
);

/** Keys in one transaction, and so in one round trip. */
const batchSize = 250;

/** The usage of this process. Writes each key at most once per flush. */
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
      // The same order in every process, so that two processes that write the same keys cannot deadlock.
      const sortedUses = [...touched].sort(([firstKey], [secondKey]) => (firstKey < secondKey ? -1 : 1));
      touched.clear();
      for (let start = 0; start < sortedUses.length; start += batchSize) {
        try {
          await database.transact(async (scope) => {
            for (const [id, { workspaceId, at }] of sortedUses.slice(start, start + batchSize))
              scope.handle(workspaceId).defer(setLastUsed, { id, at });
            await scope.flushLast();
          });
        } catch (error) {
          for (const [id, use] of sortedUses.slice(start)) if (!touched.has(id)) touched.set(id, use);
          throw error;
        }
      }
    },
  };
}
