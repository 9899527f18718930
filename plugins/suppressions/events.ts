// The event of a mail or an SMS that was accepted and not sent, because its recipient is suppressed. The sending plugins emit it.
import { defineEvent, type EventDeclaration, isoTime, z } from '../../core/index.ts';

const item = z.looseObject({
  id: z.string().describe('Prefix evt_.'),
  type: z.string(),
  ts: isoTime,
  synthetic: z.literal(true).optional().describe('True if the sandbox caused the event.'),
  reason: z.string().optional(),
});

const data = z.looseObject({
  id: z
    .string()
    .describe(
      'The id of the message: snd_… for mail, sms_… for SMS. The other fields are those that reading the message returns.',
    ),
  status: z.string(),
  templateKey: z.string(),
  to: z.string().describe('The address or the number.'),
  sandbox: z.boolean(),
  createdAt: isoTime,
  whyNotSent: z.string().optional(),
  events: z.array(item),
  event: item.describe('What happened: the newest item of the timeline, with the same id as the event.'),
});

const reason =
  'The recipient is suppressed: hard_bounce of snd_01JCZ9R4T6V8X0Z2B4D6F8H0JK, since 2026-11-02T09:12:44.000Z.';
const event = {
  id: 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB',
  type: 'transactional.suppressed',
  ts: '2026-11-20T15:04:05.000Z',
  reason,
};

export const events: readonly EventDeclaration[] = [
  defineEvent({
    type: 'transactional.suppressed',
    description: 'The recipient of a mail or an SMS is on the suppression list; nothing was sent.',
    data,
    person: ({ to }) => (to.includes('@') ? to : undefined),
    example: {
      id: 'snd_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
      messageId: 'msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
      status: 'suppressed',
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
      whyNotSent: reason,
      events: [event],
      event,
    },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'transactional.suppressed': z.output<typeof data>;
  }
}
