// The email plugin: sends and their delivery.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin, errorDefinitions } from '../../core/index.ts';
import type { TemplateCallers } from '../templates/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { deliverSend } from './jobs/deliver-send.ts';
import { simulateSend } from './jobs/simulate-send.ts';
import { migration0001 } from './migrations/0001-sends.ts';
import { operations } from './operations/index.ts';
import { schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { keysThatSent } from './store.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    email: CallsOf<typeof operations>;
  }
}

/** For a publish that would break callers: which keys they are. */
const templateCallers = (): TemplateCallers => ({
  keysSince: (handle, templateKey, since) => keysThatSent(handle, templateKey, since, 20),
});

/** Transactional email. */
export const emailPlugin = () =>
  definePlugin({
    id: 'email',
    requires: ['templates', 'suppressions'],
    scopes,
    operations,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [deliverSend, simulateSend],
    schedules,
    services: { templateCallers },
  });
