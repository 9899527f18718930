// Tells other plugins that a planned email changes, in the transaction of the change.
import type { OperationContext } from '../../core/index.ts';
import type { PlannedEmailRow } from './planned-emails.ts';

/** An entry of `campaigns.plan_changes`: a plugin that makes something of planned emails. */
export interface PlanChanges {
  /** Called after a planned email was changed. @throws PostriderError to refuse the change */
  planChanged(ctx: OperationContext, plan: PlannedEmailRow, earlier: PlannedEmailRow): Promise<void>;
  /** Called before a planned email is canceled. @throws PostriderError to refuse it */
  planCanceled(ctx: OperationContext, plan: PlannedEmailRow): Promise<void>;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    /** Plugins that make something of planned emails, and follow their changes. */
    'campaigns.plan_changes': PlanChanges;
  }
}

export async function tellPlanChanged(
  ctx: OperationContext,
  plan: PlannedEmailRow,
  earlier: PlannedEmailRow,
): Promise<void> {
  for (const entry of ctx.ports.contributions('campaigns.plan_changes').values())
    await entry.planChanged(ctx, plan, earlier);
}

export async function tellPlanCanceled(ctx: OperationContext, plan: PlannedEmailRow): Promise<void> {
  for (const entry of ctx.ports.contributions('campaigns.plan_changes').values()) await entry.planCanceled(ctx, plan);
}
