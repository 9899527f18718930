// Planned emails. Both sides of a workspace share them, like the templates that they name.
import {
  defineResource,
  type FixtureKit,
  field,
  givenTime,
  isoTime,
  type OperationContext,
  type RowOf,
  type StoredRow,
  z,
} from '../../core/index.ts';
import { isTimeZone } from '../../core/unstable.ts';
import { errors } from './errors.ts';

const furthestMs = 365 * 86_400_000;

const scheduleAt = givenTime.describe(
  'When the mail is planned for, at most 365 days ahead, with its offset from UTC, such as +02:00, since timezone gives none. Nothing is sent then.',
);
const timezone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'This is no time zone such as Europe/Berlin.')
  .describe('The time zone that people plan in (IANA), such as Europe/Berlin.');
const templateKey = z
  .string()
  .nullable()
  .describe('The template that people wrote for it; null as long as there is none.');

/** A planned time for fixtures. */
const someTime = (kit: FixtureKit): Promise<string> =>
  kit.write(async ({ now }) => new Date(now + 7 * 86_400_000).toISOString());

export const plannedEmails = defineResource('planned_emails', {
  title: 'PlannedEmail',
  name: 'campaign',
  scopes: { read: 'campaigns:read', write: 'campaigns:write' },
  missing: errors.campaign_not_found,
  example: {
    by: 'campaigns.planned',
    body: async (kit) => ({
      name: kit.unique('Spring news'),
      scheduleAt: await someTime(kit),
      timezone: 'Europe/Berlin',
      description: 'The new chairs, and the open day.',
    }),
  },
  // The company's own texts, so a person's export does not contain them. If a text mentions an address, erasing its person removes it.
  personal: { searched: true },
  fields: {
    campaignId: field.ownId('cam'),
    name: field.text(z.string().min(1).max(200)).shown(z.string()).personal('mentions'),
    scheduleAt: field.time(scheduleAt).shown(isoTime),
    timezone: field.key(timezone).shown(z.string()),
    description: field
      .text(z.string().max(2_000).describe('What the mail is to be about.'))
      .nullable()
      .shown(z.string().nullable())
      .default(null)
      .personal('mentions'),
    status: field.word(z.enum(['planned', 'canceled'])).readOnly('planned'),
    templateKey: field.key(z.string().min(1).max(80)).nullable().onlyUpdate(null).shown(templateKey),
    creationId: field.reference('cre').nullable().readOnly(null),
    createdAt: field.createdAt(),
    updatedAt: field.updatedAt(),
  },
});

export interface PlannedEmailRow extends RowOf<typeof plannedEmails.table> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    planned_emails: StoredRow<typeof plannedEmails.table>;
  }
}

/** @throws validation_failed if the time has passed or is too far in the future */
export function checkTime(ctx: OperationContext, scheduleAt: number | undefined): void {
  if (scheduleAt === undefined || (scheduleAt > ctx.now && scheduleAt <= ctx.now + furthestMs)) return;
  const message = 'scheduleAt must lie in the future, at most 365 days ahead.';
  ctx.refuse([{ path: 'scheduleAt', code: 'out_of_range', message }]);
}
