// Sends on the timeline of a person: the sends to the person's current address.
import { defineTimelineSource, z } from '../../../core/index.ts';
import { latestSendsTo } from '../store.ts';

export const sendTimeline = defineTimelineSource({
  kind: 'send',
  scope: 'sends:read',
  fields: z.object({
    status: z.string(),
    template_key: z.string(),
    subject: z.string(),
    synthetic: z.literal(true).optional().describe('True if the sandbox caused the event.'),
  }),

  async list({ trx: handle }, { email }, page) {
    if (email === null) return [];
    return (await latestSendsTo(handle, email, page)).map((row) => ({
      id: row.id,
      createdAt: row.created_at,
      fields: {
        status: row.status,
        template_key: row.template_key,
        subject: row.subject,
        ...(row.sandbox === 1 ? { synthetic: true as const } : {}),
      },
    }));
  },
});
