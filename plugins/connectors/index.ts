// Connectors: a workspace's own accounts with providers, and the vault of their credentials.

export type { ConnectorsOptions } from './options.ts';
export { connectorsPlugin } from './plugin.ts';
export type { ConnectorDetails, ConnectorProvisioning } from './provisioning.ts';
export type { ConnectorChanges, ConnectorUses, NewConnector } from './schema.ts';
export type { ConnectorRow, ConnectorsService, ReadyConnector } from './service.ts';
export type { ConnectorTest } from './test-connector.ts';
export type { SealedCredentials, Vault } from './vault/vault.ts';
