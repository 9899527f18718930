import type { EventDeclaration } from '../../core/index.ts';
import { defineEvent } from '../../core/index.ts';
import type { SendPublic, TimelineItem } from './schema.ts';
import { sendPublic, timelineItem } from './schema.ts';

const data = sendPublic.extend({ event: timelineItem.describe('What happened.') });

/** The data of every event of a send. */
export type SendEventData = SendPublic & { readonly event: TimelineItem };

const example = (type: string, status: SendPublic['status']): SendEventData => {
  const event = { id: 'evt_01JD3Q5S8ZK2M4N6P8R0T2V4W6', type, ts: '2026-11-20T15:04:05.000Z' };
  return {
    id: 'snd_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
    messageId: 'msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
    status,
    templateKey: 'receipt',
    templateVersion: 3,
    to: 'ada@example.com',
    from: { email: 'billing@example.com', name: 'Example' },
    subject: 'Your receipt',
    connectorProvider: 'smtp',
    apiKeyId: 'key_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
    sandbox: false,
    tags: [],
    metadata: { order: 'A-1042' },
    createdAt: '2026-11-20T15:04:05.000Z',
    opens: 0,
    clicks: 0,
    events: [event],
    event,
  };
};

const define = <const T extends string>(type: T, description: string, status: SendPublic['status'] = 'sent') =>
  defineEvent({ type, description, data, example: example(type, status) });

export const events: readonly EventDeclaration[] = [
  define('send.queued', 'A send was accepted.'),
  define('send.scheduled', 'A send was accepted for later.', 'scheduled'),
  define('send.sent', 'The provider took the message.'),
  define('send.delivered', 'Delivery was reported.', 'delivered'),
  define('send.delivery_delayed', 'The first try failed for now; more follow.', 'delivery_delayed'),
  define('send.bounced', "The recipient's server refused the message.", 'bounced'),
  define('send.complained', 'The recipient marked the message as spam.', 'complained'),
  define('send.opened', 'The message was opened.', 'delivered'),
  define('send.clicked', 'A link of the message was clicked.', 'delivered'),
  define('send.failed', 'The message could not be delivered for good.', 'failed'),
  define('transactional.suppressed', 'The recipient is on the suppression list; nothing was sent.', 'suppressed'),
];

/** The names of this plugin's events. */
export type SendEventType =
  | 'send.queued'
  | 'send.scheduled'
  | 'send.sent'
  | 'send.delivered'
  | 'send.delivery_delayed'
  | 'send.bounced'
  | 'send.complained'
  | 'send.opened'
  | 'send.clicked'
  | 'send.failed'
  | 'transactional.suppressed';

declare module '../../core/contract/open.ts' {
  interface EventMap extends Record<SendEventType, SendEventData> {}
}
