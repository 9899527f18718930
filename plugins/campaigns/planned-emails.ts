// Planned emails. Both sides of a workspace share them, like the templates that they name.
import {
  defineResource,
  type FixtureKit,
  field,
  isoTime,
  type OperationContext,
  type RowOf,
  type StoredRow,
  timeInput,
  type WorkspaceHandle,
  z,
} from '../../core/index.ts';
import { isTimeZone } from '../../core/unstable.ts';
import { errors } from './errors.ts';

const maxAheadMs = 365 * 86_400_000;

const scheduleAt = timeInput.describe(
  'At most 365 days ahead, with an offset from UTC such as +02:00. The planned email itself sends nothing at that time: a broadcast that is made of it does.',
);
const timezone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'This is not a time zone, such as Europe/Berlin.')
  .describe('The time zone that people plan in (IANA), such as Europe/Berlin.');
const templateKey = z.string().nullable().describe('The template of the mail; null until it has one.');

/** A planned time for fixtures. */
const someTime = (kit: FixtureKit): Promise<string> =>
  kit.write(async ({ now }) => new Date(now + 7 * 86_400_000).toISOString());

export const plannedEmails = defineResource('planned_emails', {
  title: 'PlannedEmail',
  name: 'campaign',
  scopes: { read: 'campaigns:read', write: 'campaigns:write' },
  notFoundError: errors.campaign_not_found,
  example: {
    operation: 'campaigns.planned',
    body: async (kit) => ({
      name: kit.unique('Spring news'),
      scheduleAt: await someTime(kit),
      timezone: 'Europe/Berlin',
      description: 'The new chairs, and the open day.',
    }),
  },
  // These are texts of the company, so no person's export contains them. If a text mentions an address, erasing the person of the address
  // removes it.
  personal: { searched: true },
  fields: {
    campaignId: field.ownId('cam'),
    name: field.text(z.string().trim().min(1).max(200)).shown(z.string()).personal('mentions'),
    scheduleAt: field.time(scheduleAt).shown(isoTime),
    timezone: field.key(timezone).shown(z.string()),
    description: field
      .text(z.string().max(2_000).describe('The subject of the planned mail.'))
      .nullable()
      .shown(z.string().nullable())
      .default(null)
      .personal('mentions'),
    status: field.word(z.enum(['planned', 'canceled'])).readOnly('planned'),
    templateKey: field.key(z.string().min(1).max(80)).nullable().onlyUpdate(null).shown(templateKey),
    broadcastId: field
      .reference('brc')
      .nullable()
      .readOnly(null)
      .described('The broadcast that sends the mail; null until one was made of the planned email.'),
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

/** The planned email, locked until the transaction ends. @throws campaign_not_found */
export async function lockPlan(handle: WorkspaceHandle, id: string): Promise<PlannedEmailRow> {
  const row = await plannedEmails.rows.lock(handle, id);
  if (row === undefined) throw errors.campaign_not_found({ id });
  return row;
}

/** @throws validation_failed if the time has passed or is too far in the future */
export function checkTime(ctx: OperationContext, scheduleAt: number | undefined): void {
  if (scheduleAt === undefined || (scheduleAt > ctx.now && scheduleAt <= ctx.now + maxAheadMs)) return;
  const message = 'scheduleAt must lie in the future, at most 365 days ahead.';
  ctx.refuse([{ path: 'scheduleAt', code: 'out_of_range', message }]);
}
