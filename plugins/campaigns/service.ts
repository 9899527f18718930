// `ctx.services.campaigns`: lets other plugins plan emails, and list planned emails for their pages.
import type { TimeSpan, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { lockPlan, type PlannedEmailRow, plannedEmails } from './planned-emails.ts';

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
  /**
   * Emails that are planned for a span of time, ordered by date. `withBroadcast`: whether to include planned emails that have a broadcast.
   */
  plannedBetween(
    handle: WorkspaceHandle,
    span: TimeSpan,
    options: { readonly withBroadcast: boolean },
  ): Promise<readonly PlannedEmailRow[]>;
  /** Plans an email, as POST /v1/campaigns/planned does. */
  plan(ctx: TransactionContext, input: NewPlannedEmail): Promise<PlannedEmailRow>;
  /** A planned email, locked until the transaction ends. @throws campaign_not_found */
  lock(handle: WorkspaceHandle, id: string): Promise<PlannedEmailRow>;
  /** Stores which broadcast sends the mail; null if no broadcast sends it. */
  setBroadcast(ctx: TransactionContext, id: string, broadcastId: string | null): Promise<void>;
}

const plan: CampaignsService['plan'] = ({ trx, now, newId }, newPlan) =>
  plannedEmails.rows.insert(trx, {
    id: newId('cam'),
    name: newPlan.name,
    schedule_at: newPlan.scheduleAt,
    timezone: newPlan.timezone,
    description: newPlan.description,
    status: 'planned',
    template_key: newPlan.templateKey ?? null,
    broadcast_id: null,
    creation_id: newPlan.creationId ?? null,
    created_at: now,
    updated_at: now,
  });

export const createCampaignsService = (): CampaignsService => ({
  plan,
  lock: lockPlan,

  async setBroadcast({ trx, now }, id, broadcastId) {
    await plannedEmails.rows.update(trx, id, { broadcast_id: broadcastId, updated_at: now });
  },

  plannedBetween: (handle, span, { withBroadcast }) =>
    plannedEmails.rows.between(handle, {
      ...span,
      time: 'schedule_at',
      where: { status: 'planned' },
      conditions: withBroadcast ? undefined : (columns) => [columns('broadcast_id', 'is', null)],
    }),
});
