import { defineEvent } from '../../core/index.ts';
import { type Contact, contactResource } from './schema.ts';

const example: Contact = {
  id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  external_id: 'user_1042',
  email: 'ada@example.com',
  attributes: { first_name: 'Ada', plan: 'pro' },
  subscribed: true,
  created_at: '2026-11-20T15:04:05.000Z',
  updated_at: '2026-11-20T15:04:05.000Z',
};

export const events = [
  defineEvent({
    type: 'contact.created',
    description: 'A contact was created.',
    data: contactResource,
    person: ({ id }) => id,
    example,
  }),
  defineEvent({
    type: 'contact.updated',
    description: "A contact's external_id, address or attributes changed.",
    data: contactResource,
    person: ({ id }) => id,
    example: { ...example, attributes: { first_name: 'Ada', plan: 'scale' }, updated_at: '2026-11-21T09:30:00.000Z' },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'contact.created': Contact;
    'contact.updated': Contact;
  }
}
