// A draft of a broadcast follows the planned email from which it was made. The entry of `campaigns.plan_changes`.
import { coreErrors, type OperationContext } from '../../core/index.ts';
import type { PlanChanges, PlannedEmailRow } from '../campaigns/index.ts';
import { type BroadcastRow, broadcastKindId, broadcastRows } from './broadcasts.ts';
import { plannedMoment } from './send-time.ts';
import { auditChange, changeBroadcast } from './transitions.ts';

/** The broadcast of a planned email, locked; undefined if there is none. */
async function lockBroadcastOf(ctx: OperationContext, plan: PlannedEmailRow): Promise<BroadcastRow | undefined> {
  const { broadcast_id: id } = plan;
  if (id === null) return undefined;
  const row = await broadcastRows.lock(ctx.trx, id);
  if (row !== undefined) return row;
  throw coreErrors.state_conflict({
    reason: `The broadcast ${id} of the planned email is on the ${ctx.sandbox ? 'live' : 'sandbox'} side: change both there.`,
  });
}

/** @throws insufficient_scope */
function checkScope(ctx: OperationContext): void {
  if (!ctx.holds('broadcasts:write')) throw coreErrors.insufficient_scope({ scopes: ['broadcasts:write'] });
}

/** The columns of the broadcast that change with the planned email. A new date comes with the time zone in which it was planned. */
function changedColumns(plan: PlannedEmailRow, earlier: PlannedEmailRow) {
  const isMoved = plan.schedule_at !== earlier.schedule_at;
  return {
    ...(plan.name === earlier.name ? {} : { name: plan.name }),
    ...(plan.template_key === earlier.template_key ? {} : { template_key: plan.template_key }),
    ...(isMoved ? { send_at: new Date(plan.schedule_at).toISOString() } : {}),
    ...(isMoved || plan.timezone !== earlier.timezone ? { timezone: plan.timezone } : {}),
  };
}

export const createPlanChanges = (): PlanChanges => ({
  async planChanged(ctx, plan, earlier) {
    const changes = changedColumns(plan, earlier);
    if (Object.keys(changes).length === 0) return;
    const row = await lockBroadcastOf(ctx, plan);
    if (row === undefined) return;
    if (row.status !== 'draft')
      throw coreErrors.state_conflict({
        reason: `The broadcast ${row.id} of the planned email is ${row.status}, so only the description of the planned email can be changed. A scheduled broadcast can be unscheduled.`,
      });
    checkScope(ctx);
    await changeBroadcast(ctx, row, { ...changes, due_at: plannedMoment({ ...row, ...changes }) });
    await ctx.contentChanged(broadcastKindId, [row.id]);
    auditChange(ctx, row, 'update');
  },

  async planCanceled(ctx, plan) {
    const row = await lockBroadcastOf(ctx, plan);
    if (row === undefined || row.status === 'canceled') return;
    if (row.status === 'sent')
      throw coreErrors.state_conflict({ reason: `The planned email was sent, as the broadcast ${row.id}.` });
    if (row.status !== 'draft')
      throw coreErrors.state_conflict({
        reason: `The broadcast ${row.id} of the planned email is ${row.status}: cancel the broadcast first.`,
      });
    checkScope(ctx);
    await ctx.contentChanged(broadcastKindId, [row.id]);
    await broadcastRows.remove(ctx.trx, row.id);
    await ctx.services.campaigns.setBroadcast(ctx, plan.id, null);
    auditChange(ctx, row, 'delete');
  },
});
