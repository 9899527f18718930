// The adapters of connectors in this process: one for each version of a connector's credentials, closed when the credentials
// change, the connector goes, or nobody used it for a while. Called by service.ts. Nothing is open before the first use.
import type { Logger, PortAdapter } from '../../core/index.ts';

interface Entry {
  readonly version: number;
  readonly adapter: PortAdapter;
  users: number;
  usedAt: number;
  /** No new user gets it, and the last one closes it. */
  isRetired: boolean;
}

/** Adapters kept at most, beside those in use. */
const most = 200;

/** Adapters by connector. */
export interface AdapterPool {
  /**
   * Calls `work` with the adapter of this version, or of a newer one where there is one, and keeps it open meanwhile.
   */
  use<T>(id: string, version: number, make: () => PortAdapter, work: (adapter: PortAdapter) => Promise<T>): Promise<T>;
  /** Closes the adapter of a connector once its users are done. */
  retire(id: string): void;
  /** Closes what was not used for a while. */
  closeIdle(): void;
  /** Closes everything; resolves when that is done. */
  close(): Promise<void>;
}

/** A pool of one service. */
export function createAdapterPool(options: {
  readonly idleMs: number;
  readonly now: () => number;
  readonly log: Logger;
}): AdapterPool {
  const { idleMs, now, log } = options;
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();

  const closeNow = ({ adapter }: Entry): void => {
    const ending = Promise.resolve()
      .then(() => adapter.close?.())
      .catch((error: unknown) =>
        // The reason may repeat what the adapter was made with.
        log.warn({ adapter: adapter.id, error: error instanceof Error ? error.name : 'unknown' }, 'adapter not closed'),
      )
      .finally(() => closing.delete(ending));
    closing.add(ending);
  };
  const retire = (id: string): void => {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entries.delete(id);
    entry.isRetired = true;
    if (entry.users === 0) closeNow(entry);
  };
  const entryOf = (id: string, version: number, make: () => PortAdapter): Entry => {
    const present = entries.get(id);
    if (present !== undefined && present.version >= version) return present;
    retire(id);
    const made = { version, adapter: make(), users: 0, usedAt: now(), isRetired: false };
    entries.set(id, made);
    return made;
  };
  const closeIdle = (): void => {
    const idle = [...entries].filter(([, { users }]) => users === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const old = idle.filter(([, { usedAt }], index) => usedAt < now() - idleMs || index < idle.length - most);
    for (const [id] of old) retire(id);
  };

  return {
    async use(id, version, make, work) {
      const entry = entryOf(id, version, make);
      entry.users += 1;
      try {
        return await work(entry.adapter);
      } finally {
        entry.users -= 1;
        entry.usedAt = now();
        if (entry.isRetired && entry.users === 0) closeNow(entry);
        closeIdle();
      }
    },
    retire,
    closeIdle,
    async close() {
      for (const id of [...entries.keys()]) retire(id);
      await Promise.all(closing);
    },
  };
}
