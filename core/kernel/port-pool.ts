// The adapters of one port by workspace, each resolved once and closed with the service. Made by ports.ts.
import type { AdapterChoice, PortAccess, PortAdapter, PortDeclaration } from '../contract/declaration/port.ts';

/** Adapters by workspace. */
export interface PortPool extends PortAccess {
  /** Closes every adapter that was resolved, and the one adapter of all workspaces. @throws AggregateError */
  close(): Promise<void>;
}

/** The reason why a value is not an adapter of a port; undefined for an adapter. */
export function adapterFault(value: unknown, { methods }: Pick<PortDeclaration, 'methods'>): string | undefined {
  if (typeof value !== 'object' || value === null) return 'is not an adapter';
  const members = value as Readonly<Record<string, unknown>>;
  if (typeof members['id'] !== 'string') return 'is not an adapter: it has no id';
  const missing = methods.filter((name) => typeof members[name] !== 'function');
  return missing.length === 0 ? undefined : `is not an adapter: it has no ${missing.join(', no ')}`;
}

async function closeAll(adapters: Iterable<PortAdapter>): Promise<void> {
  const ends = await Promise.allSettled([...adapters].map((adapter) => adapter.close?.()));
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, 'Several adapters could not be closed.');
}

/** A pool of one adapter. */
function poolOfOne(adapter: PortAdapter): PortPool {
  return {
    of: async () => adapter,
    known: () => adapter,
    idOf: () => adapter.id,
    close: () => closeAll([adapter]),
  };
}

/** A pool over the program's value for the port `name`. */
export function createPortPool(name: string, declaration: PortDeclaration, choice: AdapterChoice): PortPool {
  if (typeof choice !== 'function') return poolOfOne(choice);
  const resolved = new Map<string, Promise<PortAdapter>>();
  const adapters = new Map<string, PortAdapter>();
  const resolve = async (workspaceId: string): Promise<PortAdapter> => {
    const adapter = await choice(workspaceId);
    const fault = adapterFault(adapter, declaration);
    if (fault !== undefined)
      throw new Error(`The value that the option ${name} of createService returned for ${workspaceId} ${fault}.`);
    adapters.set(workspaceId, adapter);
    return adapter;
  };
  return {
    of(workspaceId) {
      let adapter = resolved.get(workspaceId);
      if (adapter === undefined) {
        adapter = resolve(workspaceId);
        resolved.set(workspaceId, adapter);
        adapter.catch(() => resolved.delete(workspaceId));
      }
      return adapter;
    },
    known: (workspaceId) => adapters.get(workspaceId),
    idOf: (workspaceId) => adapters.get(workspaceId)?.id ?? 'pending',
    async close() {
      const ends = await Promise.allSettled(resolved.values());
      // Several workspaces may share one adapter.
      await closeAll(new Set(ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))));
    },
  };
}
