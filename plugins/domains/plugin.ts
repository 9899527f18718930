// The domains plugin: sending domains of workspaces, verified by DNS, whose mail is signed.
import type { CallsOf } from '../../core/index.ts';
import { checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-domains.ts';
import type { DomainsOptions } from './options.ts';
import type { DomainProvisioning } from './provisioning.ts';
import { createDomainProvisioning } from './provisioning.ts';
import type { DomainsService } from './service.ts';
import { createDomainsService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    domains: CallsOf<readonly []>;
  }
  interface Services {
    domains?: DomainsService;
  }
  interface Provisioning {
    domains: { plugin: 'domains'; calls: DomainProvisioning };
  }
}

/** Sending domains. */
export const domainsPlugin = (options: DomainsOptions = {}) => {
  checkOptions<DomainsOptions>('domainsPlugin', options, {
    spf: 'optional',
    dmarc: 'optional',
    trackingLabel: 'optional',
    resolver: 'optional',
    timeoutMs: 'optional',
  });
  return definePlugin({
    id: 'domains',
    requires: ['connectors'],
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    services: { domains: createDomainsService },
    provisioning: { domains: createDomainProvisioning(options) },
  });
};
