import { defineEvent, z } from '../../core/index.ts';
import { preferenceSource } from './schema.ts';

const topicEvent = z.object({
  topic: z.string().describe('The key of the topic.'),
  contact: z.object({
    id: z.string().nullable().describe('Null if the address has no contact.'),
    external_id: z.string().nullable(),
    email: z.string().nullable(),
  }),
  source: preferenceSource,
});

export type TopicEvent = z.output<typeof topicEvent>;

const example: TopicEvent = {
  topic: 'product-news',
  contact: { id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', external_id: 'user_1042', email: 'ada@example.com' },
  source: 'page',
};

const person = ({ contact: { id, email } }: TopicEvent) => id ?? email ?? undefined;

export const events = [
  defineEvent({
    type: 'topic.subscribed',
    description: 'An address was subscribed to a topic by a preference. Defaults of topics emit nothing.',
    data: topicEvent,
    person,
    example,
  }),
  defineEvent({
    type: 'topic.unsubscribed',
    description:
      'An address was unsubscribed from a topic: by a link in a mail, on the page of preferences or by a call.',
    data: topicEvent,
    person,
    example: { ...example, source: 'one_click' },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'topic.subscribed': TopicEvent;
    'topic.unsubscribed': TopicEvent;
  }
}
