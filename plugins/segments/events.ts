import { defineEvent, z } from '../../core/index.ts';

const segmentChange = z.object({
  segment: z.object({ segmentId: z.string(), name: z.string() }),
  contact: z.object({ id: z.string(), external_id: z.string().nullable(), email: z.string().nullable() }),
});

/** A contact and the segment that it entered or left. */
export type SegmentChange = z.output<typeof segmentChange>;

const example: SegmentChange = {
  segment: { segmentId: 'sgm_01JD3Q5S8ZK2M4N6P8R0T2V4W6', name: 'Teams that buy' },
  contact: { id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', external_id: 'user_1042', email: 'ada@example.com' },
};

const person = (data: SegmentChange) => data.contact.id;

export const events = [
  defineEvent({
    type: 'segment.entered',
    description:
      'A contact has entered the segment since the previous comparison. Contacts that are in the segment when the watching begins, or when its filter changes, cause no event.',
    data: segmentChange,
    person,
    example,
  }),
  defineEvent({
    type: 'segment.left',
    description:
      'A contact is no longer in the segment. A changed filter, the deletion of the segment and the erasure of the contact cause no such event.',
    data: segmentChange,
    person,
    example,
  }),
];

/** The events of watched segments. */
export const changeTypes = ['segment.entered', 'segment.left'] as const;

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'segment.entered': SegmentChange;
    'segment.left': SegmentChange;
  }
}
