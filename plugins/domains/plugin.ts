// The domains plugin: sending domains of workspaces, verified by DNS, whose mail is signed.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-domains.ts';
import { migration0002 } from './migrations/0002-last-check.ts';
import { operations } from './operations/index.ts';
import type { DomainsOptions } from './options.ts';
import { createDomainProvisioning, type DomainProvisioning } from './provisioning.ts';
import { createRampFacts } from './ramp.ts';
import { schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createDomainsService, type DomainsService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    domains: CallsOf<typeof operations>;
  }
  interface Services {
    domains: DomainsService;
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
    scopes,
    operations,
    console: consolePages,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001, migration0002],
    schedules,
    services: { domains: createDomainsService(options) },
    contributes: { 'email.marketing_facts': createRampFacts },
    provisioning: { domains: createDomainProvisioning(options) },
  });
};
