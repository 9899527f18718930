// The links plugin.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { movedToConsole } from '../../core/unstable.ts';
import { type ClickBuffer, checkBufferOptions, createClickBuffer } from './clicks/buffer.ts';
import { consolePages } from './console/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { createHostnameClaims } from './hostname-claims.ts';
import { checkLink, checkLinks } from './jobs/check-link.ts';
import { rollUpClicks } from './jobs/roll-up.ts';
import { migration0001 } from './migrations/0001-links.ts';
import { operations } from './operations/index.ts';
import type { LinksOptions } from './options.ts';
import { blockList } from './port/block-list.ts';
import { createLinkProvisioning, type LinkProvisioning } from './provisioning.ts';
import { redirectRoutes } from './redirect/routes.ts';
import { createLinkTargets, type LinkTargets } from './redirect/targets.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createLinksService, type LinksService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    links: CallsOf<typeof operations>;
  }
  interface Services {
    links: LinksService;
    linkTargets: LinkTargets;
    linkClicks: ClickBuffer;
  }
  interface PluginPlanLimits {
    /** Whether links may use the workspace's own domains. */
    readonly customDomains: boolean;
  }
  interface Provisioning {
    links: { plugin: 'links'; calls: LinkProvisioning };
  }
}

/** Short links with analytics. */
export function linksPlugin(options: LinksOptions = {}) {
  checkOptions<LinksOptions>('linksPlugin', options, {
    shortUrl: 'optional',
    customDomains: 'optional',
    landingUrl: 'optional',
    recordClicks: 'optional',
    flushMs: 'optional',
    cdn: 'optional',
    geo: 'optional',
    price: 'optional',
    texts: 'optional',
  });
  checkBufferOptions(options);
  return definePlugin({
    id: 'links',
    searchWords: {
      link: ['url', 'shortener', 'address', 'redirect', 'tracking'],
      analytics: ['clicked', 'clicks', 'visits', 'visitors', 'statistics', 'performance', 'many'],
    },
    scopes,
    operations,
    publicRoutes: [
      ...redirectRoutes(options),
      movedToConsole('/links-console', ({ link }) => (link === undefined ? 'links' : `links/${link}`)),
    ],
    console: consolePages,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [rollUpClicks, checkLink, checkLinks],
    schedules,
    retention,
    planLimits: {
      customDomains: {
        description: "Whether links may use domains of the workspace's own.",
        default: true,
        plans: { sandbox: false },
      },
    },
    ports: { linkBlockList: blockList },
    services: {
      links: createLinksService(options),
      linkTargets: createLinkTargets,
      linkClicks: createClickBuffer(options),
    },
    contributes: { 'core.hosts': createHostnameClaims(options) },
    provisioning: { links: createLinkProvisioning(options) },
    start: ({ services }) => services.linkClicks.open(),
    flush: ({ services }) => services.linkClicks.flush(),
    stop: ({ services }) => services.linkClicks.close(),
  });
}
