// `service.connectors`: calls that only the embedding program may make. They are audited. Results never contain credentials.

import { coreErrors, type ProvisioningContext, type TransactionContext } from '../../core/index.ts';
import { lockWorkspace } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import { presentConnector } from './present.ts';
import { checkPart, refuseFaults } from './providers.ts';
import {
  type ConnectorChanges,
  type ConnectorPublic,
  type ConnectorUses,
  connectorChanges,
  type NewConnector,
  newConnector,
} from './schema.ts';
import { maxConnectors } from './service.ts';
import { type ConnectorRow, connectorRows } from './tables.ts';
import { type ConnectorTest, testConnector } from './test-connector.ts';

/** A connector as the program sees it. */
export interface ConnectorDetails extends ConnectorPublic {
  readonly options: unknown;
  readonly uses: ConnectorUses;
}

/** `service.connectors`. */
export interface ConnectorProvisioning {
  /** @throws validation_failed, limit_reached (50 for each workspace), state_conflict if another connector has one of its uses */
  create(workspaceId: string, connector: NewConnector): Promise<ConnectorDetails>;
  /** @throws connector_not_found, validation_failed, state_conflict */
  update(workspaceId: string, id: string, changes: ConnectorChanges): Promise<ConnectorDetails>;
  /** Deletes the connector and its credentials at once. @throws connector_not_found */
  delete(workspaceId: string, id: string): Promise<void>;
  /**
   * Checks with the provider whether the credentials work. Sends and changes nothing, and ends after 15 seconds.
   * @throws connector_not_found
   */
  test(workspaceId: string, id: string, options?: { readonly signal?: AbortSignal }): Promise<ConnectorTest>;
  /** Oldest first. */
  list(workspaceId: string): Promise<readonly ConnectorDetails[]>;
}

const testMs = 15_000;

const present = (row: ConnectorRow): ConnectorDetails => ({
  ...presentConnector(row),
  options: row.options,
  uses: row.uses,
});

const target = (id: string) => ({ kind: 'connector', id }) as const;

/** Allows one connector of a kind for each template or category. The caller must have locked the workspace. */
async function checkUses(
  { trx }: TransactionContext,
  { id, kind, uses }: Pick<ConnectorRow, 'id' | 'kind' | 'uses'>,
): Promise<void> {
  const sameKind = await connectorRows.page(trx, { where: { kind }, limit: maxConnectors });
  for (const other of sameKind.filter((row) => row.id !== id)) {
    const shared = [
      ...uses.templates.filter((key) => other.uses.templates.includes(key)),
      ...uses.categories.filter((category) => other.uses.categories.includes(category)),
    ];
    if (shared.length > 0)
      throw coreErrors.state_conflict({ reason: `${other.id} is for ${shared.join(', ')} already.` });
  }
}

/** Makes the calls of the program. */
export function createConnectorProvisioning(context: ProvisioningContext): ConnectorProvisioning {
  const { services, read, write } = context;
  const { connectors, vault } = services;
  return {
    async create(workspaceId, input) {
      const { kind, provider: name, credentials, options, ...columns } = checkPart(newConnector, input, 'connector');
      const provider = connectors.providers.findOrThrow(kind, name);
      const secret = checkPart(provider.credentials, credentials, 'credentials');
      const open = checkPart(provider.options, options, 'options');
      return write(workspaceId, async (ctx) => {
        const { trx, now, newId, audit } = ctx;
        await lockWorkspace(trx);
        if ((await connectorRows.count(trx, {}, maxConnectors)) >= maxConnectors)
          throw coreErrors.limit_reached({ limit: maxConnectors, resources: 'connectors' });
        const row: ConnectorRow = {
          id: newId('con'),
          kind,
          provider: name,
          ...columns,
          options: open,
          status: 'connected',
          last_used_at: null,
          created_at: now,
          updated_at: now,
        };
        await checkUses(ctx, row);
        await connectorRows.insert(trx, row);
        await vault.put(ctx, row.id, secret, provider.expiresAt?.(secret) ?? null);
        audit('connector.create', target(row.id), { kind, provider: name });
        return present(row);
      });
    },
    async update(workspaceId, id, input) {
      const changes = checkPart(connectorChanges, input, 'changes');
      const { credentials, options, ...columns } = changes;
      if (Object.values(changes).every((value) => value === undefined))
        return refuseFaults([{ path: 'changes', code: 'required', message: 'Give at least one change.' }]);
      return write(workspaceId, async (ctx) => {
        const { trx, now, audit, afterCommit } = ctx;
        await lockWorkspace(trx);
        const before = await connectorRows.lock(trx, id);
        if (before === undefined) throw errors.connector_not_found({ id });
        const provider = connectors.providers.findOrThrow(before.kind, before.provider);
        const open = options === undefined ? undefined : checkPart(provider.options, options, 'options');
        if (columns.uses !== undefined) await checkUses(ctx, { ...before, uses: columns.uses });
        if (credentials !== undefined) {
          const secret = checkPart(provider.credentials, credentials, 'credentials');
          await vault.put(ctx, id, secret, provider.expiresAt?.(secret) ?? null);
        } else if (open !== undefined) await vault.renew(ctx, id);
        const after = await connectorRows.change(trx, before, {
          ...columns,
          ...(open === undefined ? {} : { options: open }),
          ...(credentials === undefined ? {} : { status: 'connected' }),
          updated_at: now,
        });
        audit('connector.update', target(id), { credentials: credentials !== undefined });
        if (credentials !== undefined || open !== undefined) afterCommit(() => connectors.pool.retire(id));
        return present(after);
      });
    },
    delete: (workspaceId, id) =>
      write(workspaceId, async ({ trx, audit, afterCommit }) => {
        if (!(await connectorRows.remove(trx, id))) throw errors.connector_not_found({ id });
        await vault.remove(trx, id);
        audit('connector.delete', target(id));
        afterCommit(() => connectors.pool.retire(id));
      }),
    test: (workspaceId, id, { signal } = {}) => testConnector(context, workspaceId, id, { timeoutMs: testMs, signal }),
    list: (workspaceId) =>
      read(workspaceId, async ({ trx }) => {
        const rows = await connectorRows.page(trx, { limit: maxConnectors });
        return rows.reverse().map(present);
      }),
  };
}
