// `ctx.services.connectors`: chooses a connector for a message, and lets a job use it. Credentials are opened only to make an
// adapter and are passed to nothing else.
import type { ServiceContext, WorkspaceHandle } from '../../core/index.ts';
import { type AdapterPool, createAdapterPool } from './adapter-pool.ts';
import type { ConnectorCaller } from './caller.ts';
import { ConnectorUnusable } from './connector-unusable.ts';
import { markRefused } from './mark-refused.ts';
import type { ConnectorsOptions } from './options.ts';
import type { ConnectorAdapters, ConnectorKind, ConnectorProvider } from './port/index.ts';
import { createProviders, type Providers } from './providers.ts';
import { freshCredentials } from './refresh.ts';
import type { ConnectorUses } from './schema.ts';
import { type ConnectorRow, connectorRows } from './tables.ts';
import type { SealedCredentials } from './vault/vault.ts';

export type { ConnectorRow } from './tables.ts';

/** The maximum number of connectors in a workspace. */
export const maxConnectors = 50;

/** The minimum time between two stored uses of a connector, in milliseconds. */
const usedEveryMs = 60_000;

/** The properties of a message by which connectors are chosen. */
export interface ConnectorPurpose {
  readonly category: ConnectorUses['categories'][number];
  readonly template: string;
}

/** A connector whose credentials are valid, for one call. */
export interface ReadyConnector<Kind extends ConnectorKind = ConnectorKind> {
  readonly connector: ConnectorRow;
  readonly provider: ConnectorProvider<Kind>;
  readonly sealed: SealedCredentials;
}

export interface ConnectorsService {
  readonly providers: Providers;
  readonly pool: AdapterPool;
  /**
   * The connector for a message: a connector that names its template, otherwise a connector that names its category, or the oldest
   * connector without uses. Undefined if there is none. If no provider of the kind is composed, returns undefined without a
   * look-up.
   */
  choose(handle: WorkspaceHandle, kind: ConnectorKind, purpose: ConnectorPurpose): Promise<ConnectorRow | undefined>;
  /** The connectors of a kind, newest first. */
  list(handle: WorkspaceHandle, kind: ConnectorKind): Promise<readonly ConnectorRow[]>;
  /** Checks a connector before a call and refreshes its credentials if due. @throws ConnectorUnusable */
  ready<Kind extends ConnectorKind>(
    caller: ConnectorCaller,
    kind: Kind,
    connectorId: string,
  ): Promise<ReadyConnector<Kind>>;
  /**
   * Calls `work` with the connector's adapter, which stays open for later calls.
   * @throws ConnectorUnusable if the provider refuses the credentials, with its error as the cause; otherwise the error that
   * `work` throws
   */
  use<Kind extends ConnectorKind, T>(
    caller: ConnectorCaller,
    ready: ReadyConnector<Kind>,
    work: (adapter: ConnectorAdapters[Kind]) => Promise<T>,
  ): Promise<T>;
}

const refusedText: Record<'expired' | 'revoked', string> = {
  expired: 'are expired',
  revoked: 'were refused by the provider',
};

/** A rank that is higher the more specifically a connector's uses match the message; 0 if they do not match. */
function matchRank({ uses }: ConnectorRow, { category, template }: ConnectorPurpose): number {
  if (uses.templates.includes(template)) return 3;
  if (uses.categories.includes(category)) return 2;
  return uses.templates.length + uses.categories.length === 0 ? 1 : 0;
}

export const createConnectorsService =
  ({ providers: providerList = [], idleMs = 300_000 }: ConnectorsOptions) =>
  (context: ServiceContext): ConnectorsService => {
    const { ports, log } = context;
    const providers = createProviders(providerList);
    const pool = createAdapterPool({ idleMs, now: () => ports.now(), log });
    return {
      providers,
      pool,
      async choose(handle, kind, purpose) {
        if (!providers.hasKind(kind)) return undefined;
        const rows = await connectorRows.page(handle, { where: { kind }, limit: maxConnectors });
        pool.retireOthers({ workspaceId: handle.workspaceId, kind }, rows);
        let chosen: ConnectorRow | undefined;
        // The rows are newest first, so that the older of two equal matches wins.
        for (const row of rows)
          if (
            matchRank(row, purpose) > 0 &&
            (chosen === undefined || matchRank(row, purpose) >= matchRank(chosen, purpose))
          )
            chosen = row;
        return chosen;
      },
      list: (handle, kind) => connectorRows.page(handle, { where: { kind }, limit: maxConnectors }),
      async ready(caller, kind, connectorId) {
        // The credentials are read first, so that the options are never older than the version of the credentials.
        const [sealed, connector] = await caller.read(async ({ trx }) => {
          const credentials = await context.services.vault.find(trx, connectorId);
          return [credentials, await connectorRows.find(trx, connectorId)] as const;
        });
        if (connector === undefined || sealed === undefined) {
          pool.retire(connectorId);
          throw new ConnectorUnusable(`The connector ${connectorId} was deleted.`);
        }
        const { status, provider: name } = connector;
        if (status !== 'connected')
          throw new ConnectorUnusable(`The credentials of ${connectorId} ${refusedText[status]}. Give it new ones.`);
        const provider = providers.find(kind, name);
        if (provider === undefined)
          throw new ConnectorUnusable(`The provider ${name} of ${connectorId} is not composed: see connectorsPlugin.`);
        const fresh = await freshCredentials({ context, caller, connector, provider }, sealed);
        if ((connector.last_used_at ?? 0) <= ports.now() - usedEveryMs)
          await caller.checkpoint(({ trx, now }) => connectorRows.update(trx, connectorId, { last_used_at: now }));
        return { connector, provider, sealed: fresh };
      },
      async use<Kind extends ConnectorKind, T>(
        caller: ConnectorCaller,
        { connector, provider, sealed }: ReadyConnector<Kind>,
        work: (adapter: ConnectorAdapters[Kind]) => Promise<T>,
      ): Promise<T> {
        const { vault } = context.services;
        const connect = () =>
          provider.connect(
            { credentials: vault.open(caller.workspace.id, sealed), options: connector.options },
            { outgoing: ports.outgoing },
          );
        // The pool may use an adapter with newer credentials. A refusal then applies to the newer version.
        let { version } = sealed;
        try {
          const { id, kind } = connector;
          return await pool.use(
            { id, kind, workspaceId: caller.workspace.id },
            version,
            connect,
            (adapter, usedVersion) => {
              version = usedVersion;
              return work(adapter as ConnectorAdapters[Kind]);
            },
          );
        } catch (error) {
          const fault = provider.faultOf?.(error);
          if (fault === undefined) throw error;
          await markRefused(caller, vault, connector, { version }, fault);
          pool.retire(connector.id, version);
          const message = `The credentials of ${connector.id} ${refusedText[fault]}. Give it new ones.`;
          throw new ConnectorUnusable(message, { cause: error });
        }
      },
    };
  };
