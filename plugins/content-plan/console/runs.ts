// The page of the content plan in the console: the plans of weeks by state, and the form that plans one.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  type Html,
  html,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import { runStatus } from '../runs/schema.ts';
import { statusChoices, statusPill } from './words.ts';

const path = 'content-plan';
const pageSize = 50;

const planForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('content_plan.plan_week')
    ? actionForm(ctx, 'plan', {
        label: 'Plan a week',
        question:
          'Themes and slots are proposed, one after the other, and you decide on each. Nothing is scheduled by itself.',
        verb: 'Plan the week',
        inputs: [
          { name: 'weekOf', label: 'The Monday, such as 2026-11-30', isRequired: true, maxLength: 10 },
          {
            name: 'brief',
            label: 'Facts for the planner: an offer, a date, subjects to avoid',
            isLong: true,
            maxLength: 8_000,
          },
        ],
      })
    : null;

/** Plans a week. */
export const planAction: ConsoleAction = {
  done: 'The week is being planned. It is the first in the list.',
  async run({ calls }, { idempotencyKey, fields: { weekOf = '', brief = '' } }) {
    await calls.contentPlan.planWeek(
      { weekOf: weekOf.trim(), ...(brief.trim() === '' ? {} : { brief }) },
      { idempotencyKey },
    );
  },
};

export async function runList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { week, cursor } = ctx.query;
  const status = runStatus.safeParse(ctx.query['status']).data;
  const { data, next_cursor: next } = await ctx.calls.contentPlan.runs({
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(week === undefined ? {} : { weekOf: week }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [
    { name: 'status', label: 'State', options: statusChoices },
    { name: 'week', label: 'Monday of the week' },
  ]);
  const empty =
    status === undefined && week === undefined
      ? emptyNotice('The plan of a week proposes themes and slots for posts, which people decide on.')
      : emptyNotice('No plan matches these filters.', clearFilters(ctx, path));
  const rows = data.map((run) => [
    nameCell(ctx.link(`${path}/${run.runId}`), `Week of ${run.weekOf}`, run.channels.join(', ')),
    statusPill(run),
    run.results.length,
    moment(run.updatedAt, ctx),
  ]);
  const columns = ['Week', 'State', { head: 'Posts', isNumber: true }, 'Changed'];
  const table = rows.length === 0 ? empty : dataTable('Plans of weeks', columns, rows);
  return { heading: 'Content plan', body: html`${planForm(ctx)}${filter}${table}${pager(ctx, path, next)}` };
}
