// The social plugin: organic posts on the company accounts of networks.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin, errorDefinitions } from '../../core/index.ts';
import { createSocialChannels } from './channels.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { migration0001 } from './migrations/0001-social.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    social: CallsOf<typeof operations>;
  }
}

/** Organic posts: written, checked, scheduled and published once on the company accounts of networks. */
export const socialPlugin = () =>
  definePlugin({
    id: 'social',
    requires: ['connectors', 'assets', 'templates'],
    scopes,
    operations,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    services: { socialChannels: createSocialChannels },
  });
