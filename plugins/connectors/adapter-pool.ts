// The adapters of connectors in this process: one for each version of a connector's credentials. An adapter is closed if the
// credentials change, the connector is deleted, or it was not used for a while. Called by service.ts. Nothing is open before the
// first use.
import type { Logger, PortAdapter } from '../../core/index.ts';

interface Entry {
  readonly owner: AdapterOwner;
  readonly version: number;
  readonly adapter: PortAdapter;
  users: number;
  usedAt: number;
  /** The adapter gets no new users, and its last user closes it. */
  isRetired: boolean;
}

/** The maximum number of cached adapters that are not in use. */
const maxIdle = 200;

/** The maximum interval between checks for idle adapters, in milliseconds. */
const sweepMs = 60_000;

/** The connector to which an adapter belongs. */
export interface AdapterOwner {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: string;
}

/** Adapters by connector. */
export interface AdapterPool {
  /**
   * Calls `work` with the adapter of this version, or of a newer version if there is one, and keeps it open meanwhile. Passes the
   * version to `work`.
   */
  use<T>(
    owner: AdapterOwner,
    version: number,
    make: () => PortAdapter,
    work: (adapter: PortAdapter, version: number) => Promise<T>,
  ): Promise<T>;
  /** Closes the adapter of a connector after its last user. With `version`, it closes the adapter only if the adapter is not newer. */
  retire(id: string, version?: number): void;
  /**
   * Closes the adapters of a workspace's connectors of this kind that are not listed, because another process deleted these
   * connectors.
   */
  retireOthers(owner: Omit<AdapterOwner, 'id'>, present: readonly { readonly id: string }[]): void;
  /** Closes adapters that were not used for a while. A timer also does this while the pool has an adapter. */
  closeIdle(): void;
  /** Closes all adapters; resolves when they are closed. */
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

  let timer: NodeJS.Timeout | undefined;
  /** Keeps the timer running while the pool has an adapter. The timer never keeps the process alive. */
  const sweep = (): void => {
    if (entries.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else timer ??= setInterval(closeIdle, Math.min(idleMs, sweepMs)).unref();
  };

  const closeNow = ({ adapter }: Entry): void => {
    const ending = Promise.resolve()
      .then(() => adapter.close?.())
      .catch((error: unknown) =>
        // The error message may repeat the credentials.
        log.warn({ adapter: adapter.id, error: error instanceof Error ? error.name : 'unknown' }, 'adapter not closed'),
      )
      .finally(() => closing.delete(ending));
    closing.add(ending);
  };
  const retire = (id: string, version = Number.POSITIVE_INFINITY): void => {
    const entry = entries.get(id);
    if (entry === undefined || entry.version > version) return;
    entries.delete(id);
    sweep();
    entry.isRetired = true;
    if (entry.users === 0) closeNow(entry);
  };
  const entryOf = (owner: AdapterOwner, version: number, make: () => PortAdapter): Entry => {
    const present = entries.get(owner.id);
    if (present !== undefined && present.version >= version) return present;
    retire(owner.id);
    const entry = { owner, version, adapter: make(), users: 0, usedAt: now(), isRetired: false };
    entries.set(owner.id, entry);
    sweep();
    return entry;
  };
  const closeIdle = (): void => {
    const idle = [...entries].filter(([, { users }]) => users === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const closable = idle.filter(([, { usedAt }], index) => usedAt < now() - idleMs || index < idle.length - maxIdle);
    for (const [id] of closable) retire(id);
  };

  return {
    async use(owner, version, make, work) {
      const entry = entryOf(owner, version, make);
      entry.users += 1;
      try {
        return await work(entry.adapter, entry.version);
      } finally {
        entry.users -= 1;
        entry.usedAt = now();
        if (entry.isRetired && entry.users === 0) closeNow(entry);
        closeIdle();
      }
    },
    retire,
    retireOthers({ workspaceId, kind }, present) {
      const presentIds = new Set(present.map(({ id }) => id));
      for (const { owner } of [...entries.values()])
        if (owner.workspaceId === workspaceId && owner.kind === kind && !presentIds.has(owner.id)) retire(owner.id);
    },
    closeIdle,
    async close() {
      for (const id of [...entries.keys()]) retire(id);
      await Promise.all(closing);
    },
  };
}
