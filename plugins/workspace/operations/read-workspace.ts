import { defineOperation, toIsoTime } from '../../../core/index.ts';
import { creditPools, usedBudget } from '../../../core/unstable.ts';
import { workspaceResource } from '../schema.ts';

/** JSON has no infinity, so it becomes null. */
const wireInteger = (figure = Number.POSITIVE_INFINITY): number | null => (Number.isFinite(figure) ? figure : null);

export const readWorkspace = defineOperation({
  id: 'workspace.read',
  summary: 'Read the workspace',
  description: 'The plan with its limits, the default sender, and what was used this month.',
  http: 'GET /v1/workspace',
  tool: 'read_workspace',
  scopes: ['workspace:read'],
  idempotency: 'read',
  output: workspaceResource,
  fixture: async () => ({}),

  async handler(ctx) {
    const { workspace } = ctx;
    const { month, granted } = await creditPools(ctx.trx, workspace, ctx.now);
    // Undefined if the plugin that declares this figure is not composed.
    const sendBudget: number | undefined = workspace.plan.monthlySendBudget;
    const sends = await usedBudget(ctx.trx, 'sends', ctx.now);
    return {
      id: workspace.id,
      name: workspace.name,
      plan: workspace.plan.name,
      created_at: toIsoTime(workspace.createdAt),
      limits: {
        monthly_send_budget: wireInteger(sendBudget),
        rate_limit_per_minute: wireInteger(workspace.plan.workspacePerMinute),
      },
      default_from: workspace.defaultFrom,
      usage: { sends_this_month: sends.amount, credits_balance: wireInteger(month + granted) },
      features: [...ctx.ports.service.features],
    };
  },
});
