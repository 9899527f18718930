import { defineEvent, z } from '../../core/index.ts';
import { memberSource, memberStatus } from './schema.ts';

const memberEvent = z.object({
  listId: z.string(),
  contact: z.object({ id: z.string(), external_id: z.string().nullable(), email: z.string().nullable() }),
  status: memberStatus,
  source: memberSource,
});

export type MemberEvent = z.output<typeof memberEvent>;

const example: MemberEvent = {
  listId: 'lst_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  contact: { id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', external_id: 'user_1042', email: 'ada@example.com' },
  status: 'confirmed',
  source: 'api',
};

const person = (data: MemberEvent) => data.contact.id;

export const events = [
  defineEvent({
    type: 'list_member.added',
    description:
      'A contact became a member of a list. With the status unconfirmed, the contact is asked to confirm. A member that is added as confirmed causes only this event.',
    data: memberEvent,
    person,
    example,
  }),
  defineEvent({
    type: 'list_member.confirmed',
    description: 'An unconfirmed member confirmed, or was confirmed by a call.',
    data: memberEvent,
    person,
    example: { ...example, source: 'form' },
  }),
  defineEvent({
    type: 'list_member.removed',
    description:
      'A contact is no longer a member; status is the last one that it had. Deleting a list or a contact emits no such event.',
    data: memberEvent,
    person,
    example,
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'list_member.added': MemberEvent;
    'list_member.confirmed': MemberEvent;
    'list_member.removed': MemberEvent;
  }
}
