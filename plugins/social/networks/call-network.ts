// Calls a network: runs work with its adapter and the credentials of the connector that reaches an account. Used outside of any
// transaction, by jobs and by the preparation of calls.
import type { ServiceContext } from '../../../core/index.ts';
import type { ConnectorRow, ConnectorsService } from '../../connectors/service.ts';
import { isSocialError, type SocialAdapter, SocialError } from '../port/index.ts';
import { markAccounts } from './disconnect.ts';

/** The context in which networks are called: a job, or the preparation of a call. */
export type NetworkCaller = Parameters<ConnectorsService['ready']>[0] & ServiceContext;

/** The status of a connector; `gone` if it does not exist. */
async function statusOf(caller: NetworkCaller, connectorId: string): Promise<ConnectorRow['status'] | 'gone'> {
  const rows = await caller.read(({ trx }) => caller.services.connectors.list(trx, 'social'));
  return rows.find(({ id }) => id === connectorId)?.status ?? 'gone';
}

/** The SocialError of a failed call. Connectors hide errors about refused credentials, so the connector's status is read, too. */
async function asSocialError(caller: NetworkCaller, connectorId: string, error: unknown): Promise<SocialError> {
  if (isSocialError(error)) return error;
  if (!(error instanceof Error) || error.name !== 'ConnectorUnusable')
    return new SocialError('uncertain', error instanceof Error ? error.message : String(error), { cause: error });
  const status = await statusOf(caller, connectorId);
  if (status === 'connected') return new SocialError('transient', error.message, { cause: error });
  const credentials = status === 'expired' ? 'expired' : 'revoked';
  await caller.checkpoint((ctx) => markAccounts(ctx, connectorId, credentials));
  return new SocialError('disconnected', error.message, { cause: error, credentials });
}

/**
 * Calls `work` with the adapter of a connector, and marks the connector and its accounts if the network refuses the
 * credentials. @throws SocialError: `transient` or `disconnected` if certainly no request was sent
 */
export async function withNetwork<T>(
  caller: NetworkCaller,
  connectorId: string,
  work: (adapter: SocialAdapter) => Promise<T>,
): Promise<T> {
  const { connectors } = caller.services;
  let isReady = false;
  try {
    const readyConnector = await connectors.ready(caller, 'social', connectorId);
    isReady = true;
    return await connectors.use(caller, readyConnector, work);
  } catch (error) {
    const socialError = await asSocialError(caller, connectorId, error);
    // If the connector was not ready, nothing was sent.
    if (!isReady && socialError.fault === 'uncertain')
      throw new SocialError('transient', socialError.message, { cause: error });
    throw socialError;
  }
}
