import { defineOperation } from '../../../core/index.ts';
import { calendar } from '../documents.ts';
import { calendarResource } from '../schema.ts';
import { readDocument } from '../store.ts';

export const readCalendar = defineOperation({
  id: 'marketing.calendar_read',
  summary: 'Read the marketing calendar',
  description:
    'When marketing mail may reach people, and how much of it: quiet hours, weekdays and frequency caps. It applies to every mail of the category marketing, on both sides.',
  http: 'GET /v1/marketing/calendar',
  tool: 'read_marketing_calendar',
  scopes: ['marketing:read'],
  idempotency: 'read',
  output: calendarResource,
  entityTag: ({ version }) => version,
  fixture: async () => ({}),

  async handler(ctx) {
    const { content, ...rest } = await readDocument(ctx.trx, calendar);
    return { ...content, ...rest };
  },
});
