// The webhooks plugin.
import { type CallsOf, definePlugin, errorDefinitions } from '../../core/index.ts';
import { movedToConsole } from '../../core/unstable.ts';
import { commands } from './commands/index.ts';
import { consolePages, movedPage } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { deliverEvent } from './delivery/deliver-event.ts';
import { eventConsumer } from './delivery/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { eraseResponsesAgain } from './jobs/erase-responses-again.ts';
import { removeDeliveries } from './jobs/remove-deliveries.ts';
import { migration0001 } from './migrations/0001-webhooks.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { removeOldDeliveries, resealSigningSecrets, retention } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createWebhooksService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    webhooks: CallsOf<typeof operations>;
  }
}

/** Posts signed events to URLs of a workspace's choice. */
export const webhooksPlugin = () =>
  definePlugin({
    id: 'webhooks',
    searchWords: {
      webhook: [
        'hook',
        'callback',
        'endpoint',
        'push',
        'backend',
        'server',
        'http',
        'notification',
        'system',
        'crm',
        'erp',
        'slack',
        'url',
        'address',
        'connect',
      ],
      deliver: ['failed', 'missed', 'nothing', 'attempts', 'arrive', 'answered', 'calls'],
      secret: ['leaked', 'stolen', 'compromised', 'signature', 'key'],
      create_webhook: ['automatically', 'hear', 'signup', 'real', 'time', 'push', 'events'],
    },
    scopes,
    operations,
    publicRoutes: [movedToConsole('/webhooks-console', movedPage)],
    console: consolePages,
    contributes: { 'console.overview': () => overviewPart },
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    eventConsumers: [eventConsumer],
    personalData,
    services: { webhooks: createWebhooksService },
    extensionPoints: ['webhooks.changes'],
    jobs: [deliverEvent, eraseResponsesAgain, removeDeliveries],
    schedules: [removeOldDeliveries, resealSigningSecrets],
    retention,
    commands,
  });
