// The contacts of segments as callers see them.
import { isoTime, personal, toIsoTime, z } from '../../core/index.ts';
import type { FoundContact } from './query.ts';

export const segmentContact = z
  .object({
    contactId: z.string(),
    email: z.string().nullable().describe('The normalised address.'),
    external_id: personal('identifier', z.string().nullable()),
    attributes: personal('text', z.record(z.string(), z.unknown())),
    createdAt: isoTime,
  })
  .meta({ id: 'SegmentContact' });

export const presentContact = ({
  id: contactId,
  createdAt,
  ...rest
}: FoundContact): z.output<typeof segmentContact> => ({
  contactId,
  ...rest,
  createdAt: toIsoTime(createdAt),
});
