// `ctx.services.campaigns`: lets other plugins plan emails, and list planned emails for their pages.
import type { TimeSpan, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { type PlannedEmailRow, plannedEmails } from './planned-emails.ts';

/** An email to plan. Its fields are already checked. */
export interface NewPlannedEmail {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly scheduleAt: number;
  /** An IANA time zone. */
  readonly timezone: string;
  readonly description: string | null;
  /** The template for the email. (Default: none yet) */
  readonly templateKey?: string;
  readonly creationId?: string;
}

/** `ctx.services.campaigns`. Only present if the campaigns plugin is composed. */
export interface CampaignsService {
  /** Emails that are planned for a span of time, ordered by date. */
  plannedBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PlannedEmailRow[]>;
  /** Plans an email, as POST /v1/campaigns/planned does. */
  plan(effects: TransactionContext, given: NewPlannedEmail): Promise<PlannedEmailRow>;
}

const plan: CampaignsService['plan'] = ({ trx, now, newId }, given) =>
  plannedEmails.rows.insert(trx, {
    id: newId('cam'),
    name: given.name,
    schedule_at: given.scheduleAt,
    timezone: given.timezone,
    description: given.description,
    status: 'planned',
    template_key: given.templateKey ?? null,
    creation_id: given.creationId ?? null,
    created_at: now,
    updated_at: now,
  });

export const createCampaignsService = (): CampaignsService => ({
  plan,

  plannedBetween: (handle, span) =>
    plannedEmails.rows.between(handle, { ...span, time: 'schedule_at', where: { status: 'planned' } }),
});
