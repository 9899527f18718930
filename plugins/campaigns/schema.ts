// A planned email as callers give and see it, and the checks that need the clock or the templates.
import { type FixtureKit, givenId, givenTime, isoTime, type OperationContext, presenter, z } from '../../core/index.ts';
import { isTimeZone } from '../../core/unstable.ts';
import { plannedEmails } from './tables.ts';

const furthestMs = 365 * 86_400_000;

export const planFields = {
  name: z.string().min(1).max(200),
  scheduleAt: givenTime.describe(
    'When the mail is planned for, at most 365 days ahead, with its offset from UTC, such as +02:00, since timezone gives none. Nothing is sent then.',
  ),
  timezone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'This is no time zone such as Europe/Berlin.')
    .describe('The time zone that people plan in (IANA), such as Europe/Berlin.'),
  description: z.string().max(2_000).describe('What the mail is to be about.'),
};

export const plannedEmail = z
  .object({
    campaignId: z.string().describe('Prefix cam_.'),
    name: z.string(),
    scheduleAt: isoTime,
    timezone: z.string(),
    description: z.string().nullable(),
    status: z.enum(['planned', 'canceled']),
    templateKey: z
      .string()
      .nullable()
      .describe('The template that people wrote for it; null as long as there is none.'),
    creationId: z.string().nullable(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'PlannedEmail' });

export const present = presenter(plannedEmails, plannedEmail, { campaignId: ({ id }) => id });

export const campaignParams = z.object({ campaignId: givenId('cam') });

/** @throws validation_failed for a time that has passed or is too far away */
export function checkTime(ctx: OperationContext, scheduleAt: number | undefined): void {
  if (scheduleAt === undefined || (scheduleAt > ctx.now && scheduleAt <= ctx.now + furthestMs)) return;
  const message = 'scheduleAt must lie in the future, at most 365 days ahead.';
  ctx.refuse([{ path: 'scheduleAt', code: 'out_of_range', message }]);
}

/** A time at which fixtures plan. */
export const someTime = (kit: FixtureKit): Promise<string> =>
  kit.write(async ({ now }) => new Date(now + 7 * 86_400_000).toISOString());

/** The key of a template of the workspace. */
export async function someTemplate(kit: FixtureKit, workspaceId: string): Promise<string> {
  const key = kit.unique('template').toLowerCase();
  await kit.call('templates.create', { key, mode: 'html', subject: 'Hello', body: '<p>Hello</p>' }, workspaceId);
  return key;
}

/** Plans an email for the generated tests and answers its id. */
export async function somePlanned(kit: FixtureKit, workspaceId: string): Promise<string> {
  const body = { name: 'Spring news', scheduleAt: await someTime(kit), timezone: 'Europe/Berlin' };
  const { campaignId } = await kit.call('campaigns.planned', body, workspaceId);
  return String(campaignId);
}
