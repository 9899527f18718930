// The marketing plugin.
import { type CallsOf, definePlugin, defineScopes, errorDefinitions } from '../../core/index.ts';
import { errors } from './errors.ts';
import { operations } from './operations/index.ts';
import { createListReferences, createMarketingService, type MarketingService } from './service.ts';
import { migration0001, tables } from './tables.ts';

const scopes = defineScopes([
  {
    scope: 'marketing:read',
    description: 'See the marketing strategy, the ideal customer profiles and the creation defaults.',
    presets: ['read', 'author'],
  },
  {
    scope: 'marketing:write',
    description: 'Change the marketing strategy, the ideal customer profiles and the creation defaults.',
    presets: ['author'],
  },
]);

declare module '../../core/contract/open.ts' {
  interface Api {
    marketing: CallsOf<typeof operations>;
  }
  interface Services {
    marketing: MarketingService;
  }
}

/** The marketing strategy, the ideal customer profiles, and the defaults of new campaigns. */
export const marketingPlugin = () =>
  definePlugin({
    id: 'marketing',
    requires: ['brand', 'email', 'lists'],
    scopes,
    operations,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    services: { marketing: createMarketingService },
    contributes: { 'lists.references': createListReferences },
  });
