// Messages on the timeline of a person: the messages to the person's current number.
import { defineTimelineSource, z } from '../../../core/index.ts';
import { latestTo } from '../store.ts';

export const smsTimeline = defineTimelineSource({
  kind: 'sms',
  scope: 'messaging.transactional.read',
  fields: z.object({
    status: z.string(),
    template_key: z.string(),
    body: z.string(),
    synthetic: z.literal(true).optional().describe('True if the sandbox caused the event.'),
  }),

  async list({ trx: handle, services }, { personId }, page) {
    const number = await services.contacts?.phoneOf(handle, personId);
    if (number === undefined) return [];
    return (await latestTo(handle, number, page)).map((row) => ({
      id: row.id,
      createdAt: Number(row.created_at),
      fields: {
        status: row.status,
        template_key: row.template_key,
        body: row.body,
        ...(Number(row.sandbox) === 1 ? { synthetic: true as const } : {}),
      },
    }));
  },
});
