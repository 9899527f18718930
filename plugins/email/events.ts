import { defineEvent, type EventDeclaration } from '../../core/index.ts';
import { type SendPublic, type SendTimelineItem, sendPublicObject, timelineItem } from './schema.ts';

const data = sendPublicObject.extend({
  event: timelineItem.describe('What happened: the newest item of the timeline, with the same id as the event.'),
});

/** The data of every event of a send. */
export type SendEventData = SendPublic & { readonly event: SendTimelineItem };

/** The fields that differ in an example. */
interface EventExample {
  readonly send: Partial<SendPublic> & Pick<SendPublic, 'status'>;
  readonly event?: Partial<SendTimelineItem>;
}

const accepted: SendTimelineItem = {
  id: 'evt_01JD0C8Y3T5PJ2K8S1W4Q6V7XA',
  type: 'send.queued',
  ts: '2026-11-20T15:04:03.000Z',
};

function example(type: string, { send, event: details = {} }: EventExample): SendEventData {
  const event = { id: 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB', type, ts: '2026-11-20T15:04:05.000Z', ...details };
  const isFirst = type === 'send.queued' || type === 'send.scheduled';
  return {
    id: 'snd_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
    messageId: 'msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
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
    createdAt: '2026-11-20T15:04:03.000Z',
    opens: 0,
    clicks: 0,
    ...send,
    events: isFirst ? [event] : [accepted, event],
    event,
  };
}

const define = <const T extends string>(
  type: T,
  description: string,
  shown: EventExample = { send: { status: 'sent' } },
) => defineEvent({ type, description, data, person: ({ to }) => to, example: example(type, shown) });

const human = { bot: { verdict: 'human', reason: 'no_sign_of_a_bot' } } as const;

const refused = {
  class: 'hard',
  subType: 'no_mailbox',
  smtpCode: 550,
  enhancedCode: '5.1.1',
  diagnostic: '550 5.1.1 No such mailbox.',
} as const;

const failure = 'The template needs the variable name.';
const cancellation = 'Canceled by the API key key_01JD3Q5S8ZK2M4N6P8R0T2V4W6 before it was sent.';

/** The events that a send can emit: from its call, and from the job that delivers or simulates it. */
export const sendingEvents = [
  ...['send.queued', 'send.scheduled', 'transactional.suppressed'],
  ...['send.sent', 'send.delivered', 'send.delivery_delayed', 'send.bounced', 'send.complained'],
  ...['send.opened', 'send.clicked', 'send.failed'],
];

/** The events that a send can emit if it counts against the monthly budget. */
export const countedSendEvents = [...sendingEvents, 'budget.reached'];

export const events: readonly EventDeclaration[] = [
  define('send.queued', 'A send was accepted.'),
  define('send.scheduled', 'A send was accepted for a later time.', {
    send: { status: 'scheduled', scheduledAt: '2026-11-21T09:00:00.000Z' },
  }),
  define('send.sent', 'The provider accepted the message.'),
  define('send.delivered', 'The provider reported that the message was delivered.', { send: { status: 'delivered' } }),
  define('send.delivery_delayed', 'The first attempt failed; more follow.', {
    send: { status: 'delivery_delayed' },
    event: { reason: '451 4.7.1 Try again later.' },
  }),
  define('send.bounced', "The recipient's server refused the message. A hard bounce suppresses the address.", {
    send: { status: 'bounced', whyNotSent: refused.diagnostic },
    event: { bounce: { ...refused }, reason: refused.diagnostic },
  }),
  define('send.complained', 'The recipient marked the message as spam. The address is suppressed.', {
    send: { status: 'complained' },
  }),
  define('send.opened', 'The message was opened; `bot` has the verdict on whether a person did it.', {
    send: { status: 'delivered', opens: 1 },
    event: human,
  }),
  define('send.clicked', 'A link in the message was clicked; `bot` has the verdict on whether a person did it.', {
    send: { status: 'delivered', opens: 1, clicks: 1 },
    event: { click: { url: 'https://example.com/orders/A-1042' }, ...human },
  }),
  define(
    'send.unsubscribed',
    'The recipient unsubscribed: the address is suppressed. With a reason such as topic product-news, it was unsubscribed from that topic only.',
    {
      send: { status: 'delivered' },
    },
  ),
  define('send.failed', 'The message could not be sent, and is not tried again.', {
    send: { status: 'failed', whyNotSent: failure },
    event: { reason: failure },
  }),
  define('send.canceled', 'A scheduled send was canceled before it was handed to the provider.', {
    send: { status: 'canceled', scheduledAt: '2026-11-21T09:00:00.000Z', whyNotSent: cancellation },
    event: { reason: cancellation },
  }),
];

/** The names of the events of sends. */
export type SendEventType = OwnEventType | 'transactional.suppressed';

/** The event names that this plugin declares. */
type OwnEventType =
  | 'send.queued'
  | 'send.scheduled'
  | 'send.sent'
  | 'send.delivered'
  | 'send.delivery_delayed'
  | 'send.bounced'
  | 'send.complained'
  | 'send.opened'
  | 'send.clicked'
  | 'send.unsubscribed'
  | 'send.failed'
  | 'send.canceled';

declare module '../../core/contract/open.ts' {
  interface EventMap extends Record<OwnEventType, SendEventData> {}
}
