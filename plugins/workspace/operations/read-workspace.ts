import { defineOperation, type OperationContext, toIsoTime, toIsoTimeOrNull } from '../../../core/index.ts';
import { creditPools, leashState, usedBudget } from '../../../core/unstable.ts';
import { workspaceResource } from '../schema.ts';

/** JSON has no infinity, so it becomes null. */
const integerOrNull = (amount = Number.POSITIVE_INFINITY): number | null => (Number.isFinite(amount) ? amount : null);

/** The caller's leash, with its remaining amounts. */
async function leashOf(ctx: OperationContext) {
  if (ctx.leash === undefined) return {};
  const remaining = [...(await leashState(ctx, ctx.leash))].map(([name, state]) => [
    name,
    { amount: Math.max(0, state.left), renewsAt: toIsoTimeOrNull(state.renewsAt ?? null) },
  ]);
  return { leash: { ...ctx.leash.leash, left: Object.fromEntries(remaining) } };
}

export const readWorkspace = defineOperation({
  id: 'workspace.read',
  summary: 'Read the workspace',
  description:
    'The plan with its limits, the default sender, and the usage of this month. For a key with a leash: the leash and its remaining amounts.',
  http: 'GET /v1/workspace',
  tool: { name: 'read_workspace', inCoreToolset: true },
  searchWords: [
    'remaining',
    'sends',
    'plan',
    'limits',
    'budget',
    'quota',
    'credits',
    'balance',
    'usage',
    'left',
    'month',
    'spent',
    'sender',
  ],
  scopes: ['workspace:read'],
  idempotency: 'read',
  output: workspaceResource,
  fixture: async () => ({}),

  async handler(ctx) {
    const { workspace } = ctx;
    const { month, granted } = await creditPools(ctx.trx, workspace, ctx.now);
    // Undefined if the plugin that declares this limit is not composed.
    const sendBudget: number | undefined = workspace.plan.monthlySendBudget;
    const sends = await usedBudget(ctx.trx, 'sends', ctx.now);
    return {
      id: workspace.id,
      name: workspace.name,
      plan: workspace.plan.name,
      created_at: toIsoTime(workspace.createdAt),
      limits: {
        monthly_send_budget: integerOrNull(sendBudget),
        rate_limit_per_minute: integerOrNull(workspace.plan.workspacePerMinute),
      },
      default_from: workspace.defaultFrom,
      usage: { sends_this_month: sends.amount, credits_balance: integerOrNull(month + granted) },
      ...(await leashOf(ctx)),
      features: [...ctx.ports.service.features],
    };
  },
});
