// Custom events on the timeline of a contact.
import { defineTimelineSource, z } from '../../core/index.ts';
import { presentEventFields } from './present.ts';
import { listLatestEvents } from './store.ts';

export const eventTimeline = defineTimelineSource({
  kind: 'event',
  fields: z.object({
    type: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    synthetic: z.literal(true).optional().describe('True if the sandbox caused the event.'),
  }),
  list: async ({ trx: handle }, { personId }, { limit, after }) =>
    (await listLatestEvents(handle, personId, limit, after)).map((row) => ({
      id: row.id,
      createdAt: row.ts,
      fields: presentEventFields(row, handle),
    })),
});
