// The connectors plugin: accounts of workspaces with providers, and the vault of credentials.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-connectors.ts';
import { operations } from './operations/index.ts';
import type { ConnectorsOptions } from './options.ts';
import { type ConnectorProvisioning, createConnectorProvisioning } from './provisioning.ts';
import { scopes } from './scopes.ts';
import { type ConnectorsService, createConnectorsService } from './service.ts';
import { tables } from './tables.ts';
import { resealCredentials } from './vault/schedules.ts';
import { createVault, type Vault } from './vault/vault.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    connectors: CallsOf<typeof operations>;
  }
  interface Services {
    connectors: ConnectorsService;
    vault: Vault;
  }
  interface Provisioning {
    connectors: { plugin: 'connectors'; calls: ConnectorProvisioning };
  }
}

/** Connectors: the workspaces' own accounts with providers. */
export const connectorsPlugin = (options: ConnectorsOptions = {}) => {
  checkOptions<ConnectorsOptions>('connectorsPlugin', options, { providers: 'optional', idleMs: 'optional' });
  return definePlugin({
    id: 'connectors',
    searchWords: {
      connector: [
        'integration',
        'vendor',
        'account',
        'provider',
        'connected',
        'own',
        'smtp',
        'twilio',
        'mailgun',
        'sendgrid',
        'carrier',
        'through',
      ],
      connector_catalog: ['possible', 'available', 'offer', 'support', 'could'],
    },
    scopes,
    operations,
    console: consolePages,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    schedules: [resealCredentials],
    services: { connectors: createConnectorsService(options), vault: createVault },
    provisioning: { connectors: createConnectorProvisioning },
    flush: ({ services }) => services.connectors.pool.closeIdle(),
    stop: ({ services }) => services.connectors.pool.close(),
  });
};
