import { defineEvent, type EventDeclaration } from '../../core/index.ts';
import { type SmsPublic, type SmsTimelineItem, smsPublicObject, smsTimelineItem } from './schema.ts';

const data = smsPublicObject.extend({
  event: smsTimelineItem.describe('What happened: the newest item of the timeline, with the same id as the event.'),
});

/** The data of every event of an SMS. */
export type SmsEventData = SmsPublic & { readonly event: SmsTimelineItem };

function example(type: string, sms: Partial<SmsPublic>, details: Partial<SmsTimelineItem> = {}): SmsEventData {
  const queued = { id: 'evt_01JD0C8Y3T5PJ2K8S1W4Q6V7XA', type: 'sms.queued', ts: '2026-11-20T15:04:03.000Z' };
  const event = { id: 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB', type, ts: '2026-11-20T15:04:05.000Z', ...details };
  return {
    id: 'sms_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
    status: 'sent',
    templateKey: 'order_shipped',
    to: '+14155550100',
    body: 'Acme: your order A-1042 is on its way.',
    segments: 1,
    provider: 'twilio',
    sandbox: false,
    consentProofId: 'cns_01JCZ9R4T6V8X0Z2B4D6F8H0JK',
    createdAt: '2026-11-20T15:04:03.000Z',
    ...sms,
    events: type === 'sms.queued' ? [event] : [queued, event],
    event,
  };
}

const define = <const T extends string>(
  type: T,
  description: string,
  sms: Partial<SmsPublic>,
  details?: Partial<SmsTimelineItem>,
) => defineEvent({ type, description, data, example: example(type, sms, details) });

const refused = 'The carrier filtered the message.';

export const events: readonly EventDeclaration[] = [
  define('sms.queued', 'An SMS was accepted. If quiet hours hold a reminder back, its status is scheduled.', {
    status: 'queued',
  }),
  define('sms.sent', 'The provider accepted the message.', { status: 'sent' }),
  define('sms.delivered', 'The phone has the message.', { status: 'delivered' }),
  define(
    'sms.failed',
    'The message did not go out (status failed), or did not arrive (undelivered).',
    { status: 'undelivered', whyNotSent: refused },
    { reason: refused, cause: 'content', providerCode: '30007' },
  ),
  define('sms.opted_out', 'The recipient answered STOP or a similar word. The number gets no more SMS.', {
    status: 'delivered',
  }),
];

/** The events that a send can emit: from its call, and from the job that delivers or simulates it. */
export const sendingEvents = ['sms.queued', 'sms.sent', 'sms.delivered', 'sms.failed', 'transactional.suppressed'];

/** The names of this plugin's events. */
export type SmsEventType = 'sms.queued' | 'sms.sent' | 'sms.delivered' | 'sms.failed' | 'sms.opted_out';

declare module '../../core/contract/open.ts' {
  interface EventMap extends Record<SmsEventType, SmsEventData> {}
}
