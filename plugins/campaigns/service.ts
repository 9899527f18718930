// `ctx.services.campaigns`: what other plugins plan, and what their pages show of planned emails.
import type { TimeSpan, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { type PlannedEmailRow, plannedEmails } from './planned-emails.ts';

/** An email to plan. Its fields are checked already. */
export interface NewPlannedEmail {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly scheduleAt: number;
  /** IANA. */
  readonly timezone: string;
  readonly description: string | null;
  /** The template that is written for it. (Default: none yet) */
  readonly templateKey?: string;
  readonly creationId?: string;
}

/** Composed with the campaigns plugin. */
export interface CampaignsService {
  /** Emails that are planned for a span of time, in the order of their dates. */
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

/** Makes the service. */
export const createCampaignsService = (): CampaignsService => ({
  plan,

  plannedBetween: (handle, span) =>
    plannedEmails.rows.between(handle, { ...span, time: 'schedule_at', where: { status: 'planned' } }),
});
