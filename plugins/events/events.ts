// The data of a custom event: its contact and the caller's metadata.
import { type CustomEventsDeclaration, z } from '../../core/index.ts';
import { reservedFamilies } from './reserved-families.ts';

const data = z.object({
  contact: z
    .object({
      id: z.string().describe('Prefix con_.'),
      external_id: z.string().nullable().describe("The caller's own id of the contact."),
      email: z.string().nullable().describe('The normalised address.'),
    })
    .describe('The contact that the event is about.'),
  metadata: z.record(z.string(), z.unknown()).describe('The metadata as the caller sent it, at most 4 KB.'),
});

type Data = z.output<typeof data>;

declare module '../../core/contract/open.ts' {
  interface CustomEventData {
    readonly contact: Readonly<Data['contact']>;
    readonly metadata: Readonly<Data['metadata']>;
  }
}

export const customEvents: CustomEventsDeclaration = {
  data,
  example: {
    contact: { id: 'con_01JD0C8Z4V6QK3M9T2X5R7W8YB', external_id: 'user_42', email: 'ada@example.com' },
    metadata: { order: 'A-1042', total: 42 },
  },
  reservedFamilies,
};
