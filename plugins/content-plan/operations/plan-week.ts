import { coreErrors, defineOperation } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { planGateKind } from '../planning/kinds.ts';
import { presentRun } from '../runs/present.ts';
import { maxSlots, planBody, planRun } from '../runs/schema.ts';
import { runOfWeek } from '../runs/store.ts';
import { type PlanGate, type PlanRunRow, runRows } from '../runs/tables.ts';
import { spanOfWeek } from '../runs/week.ts';
import { freeWeek, takenWeek } from './fixture-rows.ts';

const day = 86_400_000;
const maxAheadMs = 365 * day;

const waiting: PlanGate<never> = { status: 'pending', proposal: null, comment: null, revisions: 0 };

export const planWeek = defineOperation({
  id: 'content_plan.plan_week',
  summary: 'Plan the posts of a week',
  description: `Proposes themes, then slots, then texts if captions is true; people decide on each. The last approval creates one placeholder post per slot, or one draft with its text. Nothing is scheduled or published. A week has one unfinished run, with at most ${maxSlots} posts.`,
  http: 'POST /v1/content-plan/runs',
  tool: 'plan_week',
  scopes: ['campaigns:write'],
  idempotency: 'replay',
  input: { body: planBody },
  output: planRun,
  status: 202,
  errors: ['state_conflict', 'account_not_found', 'account_ambiguous'],
  audit: { action: 'content_plan.run.start', target: ({ runId }) => ({ kind: 'plan_run', id: runId }) },
  fixture: async (kit) => ({
    body: await freeWeek(kit),
    foreign: {
      body: { targetAccountRefs: 'skipped: by channel; shown in test/plugins/content-plan-runs.test.ts' },
    },
    errors: {
      state_conflict: async (own) => ({ body: await takenWeek(own) }),
      account_not_found: 'unreachable here: shown in test/plugins/content-plan-runs.test.ts',
      account_ambiguous: 'unreachable here: shown in test/plugins/content-plan-runs.test.ts',
    },
  }),

  async handler(ctx, { body }) {
    const { trx, now, sandbox, services } = ctx;
    const defaults = await services.marketing.defaults(trx);
    const connected = await services.social.connected(trx);
    const networks = defaults.channels.filter((channel) => services.socialChannels.rulesOf(channel) !== undefined);
    const channels = [...new Set(body.channels ?? (networks.length > 0 ? networks : connected))];
    if (channels.length === 0)
      ctx.refuse([
        { path: 'channels', code: 'required', message: 'Name the channels: no account of a network is connected.' },
      ]);
    const count = channels.length * body.postsPerChannel;
    if (count > maxSlots)
      ctx.refuse([
        {
          path: 'postsPerChannel',
          code: 'out_of_range',
          message: `A run has at most ${maxSlots} posts; ${channels.length} channels with ${body.postsPerChannel} each have ${count}.`,
        },
      ]);
    const week = { week_of: body.weekOf, timezone: body.timezone ?? defaults.timezone ?? 'UTC' };
    const { from, until } = spanOfWeek(week);
    if (until <= now || from > now + maxAheadMs)
      ctx.refuse([
        { path: 'weekOf', code: 'out_of_range', message: 'The week must not be over, and begin within 365 days.' },
      ]);
    const accounts = body.targetAccountRefs ?? {};
    await services.social.checkAccounts(trx, services.social.content(ctx, { channels, targetAccountRefs: accounts }));
    // If two calls plan the same week at once, the second one must find the run of the first.
    await lockWorkspace(trx);
    const runOfSameWeek = await runOfWeek(trx, body.weekOf);
    if (runOfSameWeek !== undefined)
      throw coreErrors.state_conflict({
        reason: `The week of ${body.weekOf} is planned by ${runOfSameWeek.id}, which is ${runOfSameWeek.status}. Decide on it, or reject it first.`,
      });
    const row: PlanRunRow = {
      ...{ id: ctx.newId('plan'), sandbox, ...week, status: 'queued', channels, accounts },
      ...{ themes: body.themes ?? [], brief: body.brief ?? null, posts_per_channel: body.postsPerChannel },
      gates: { themes: waiting, slots: waiting, captions: body.captions ? waiting : null },
      ...{ drafted: [], results: [], left_out: null, error: null, hold_id: null, price: 0, charged: 0 },
      ...{ expires_at: null, ended_at: null, created_at: now, updated_at: now },
    };
    await runRows.insert(trx, row);
    ctx.enqueue({ kind: planGateKind, payload: { runId: row.id, gate: 'themes', revision: 0 }, key: row.id });
    return presentRun(row);
  },
});
