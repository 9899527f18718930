import { defineOperation, z } from '../../../core/index.ts';
import { calendar } from '../documents.ts';
import { calendarPatch, calendarResource } from '../schema.ts';
import { patchDocument } from '../store.ts';

export const patchCalendar = defineOperation({
  id: 'marketing.calendar_patch',
  summary: 'Change the marketing calendar',
  description:
    'A JSON merge patch (RFC 7396): quiet hours merge, lists are replaced, null sets a field back to its default. Mail that already waits follows the new calendar when it is due. Returns the whole calendar.',
  http: 'PATCH /v1/marketing/calendar',
  tool: { name: 'patch_marketing_calendar', destructive: true },
  scopes: ['marketing:write'],
  idempotency: 'replay',
  input: {
    body: calendarPatch.extend({
      expectedVersion: z
        .int()
        .min(0)
        .optional()
        .describe('The change is refused if the calendar has a different version.'),
    }),
  },
  accepts: ['application/merge-patch+json'],
  output: calendarResource,
  entityTag: ({ version }) => version,
  ifMatch: true,
  liveOnly: true,
  errors: ['version_conflict'],
  audit: { action: 'marketing.calendar.update', target: () => ({ kind: 'marketing_calendar', id: 'calendar' }) },
  fixture: async () => ({
    body: { timezone: 'Europe/Vienna', caps: [{ max: 3, per: 'week' }] },
    errors: { version_conflict: async () => ({ body: { timezone: 'UTC', expectedVersion: 1_000_000 } }) },
  }),

  async handler(ctx, { body: { expectedVersion, ...patch } }) {
    const version = (current: number) => ctx.expectVersion(current, expectedVersion);
    const { content, ...rest } = await patchDocument(ctx, calendar, patch, { version });
    return { ...content, ...rest };
  },
});
