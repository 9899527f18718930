// Notifies other plugins of changes of a planned email, in the transaction of the change.
import type { OperationContext } from '../../core/index.ts';
import type { PlannedEmailRow } from './planned-emails.ts';

/** An entry of `campaigns.plan_changes`: a plugin that creates content from planned emails. */
export interface PlanChanges {
  /** Called after a planned email was changed. @throws PostriderError to refuse the change */
  planChanged(ctx: OperationContext, plan: PlannedEmailRow, earlier: PlannedEmailRow): Promise<void>;
  /** Called before a planned email is canceled. @throws PostriderError to refuse it */
  planCanceled(ctx: OperationContext, plan: PlannedEmailRow): Promise<void>;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    /** Plugins that create content from planned emails, and update it when they change. */
    'campaigns.plan_changes': PlanChanges;
  }
}

export async function notifyPlanChanged(
  ctx: OperationContext,
  plan: PlannedEmailRow,
  earlier: PlannedEmailRow,
): Promise<void> {
  for (const entry of ctx.ports.contributions('campaigns.plan_changes').values())
    await entry.planChanged(ctx, plan, earlier);
}

export async function notifyPlanCanceled(ctx: OperationContext, plan: PlannedEmailRow): Promise<void> {
  for (const entry of ctx.ports.contributions('campaigns.plan_changes').values()) await entry.planCanceled(ctx, plan);
}
