// What the overview of the console shows of sends: how many were accepted, delivered, bounced and complained about, by day.
import type { ConsoleContext } from '../../../core/index.ts';
import { counted, dataTable, type Html, html, lineChart, panel, pictureWithTable } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';

const shown = (count: number): string => count.toLocaleString('en-GB');

const measures = [
  ['accepted', 'Accepted'],
  ['delivered', 'Delivered'],
  ['bounced', 'Bounced'],
  ['complained', 'Complained'],
] as const;

async function byDay(ctx: ConsoleContext): Promise<Html> {
  const { days, isComplete } = await ctx.calls.sends.statistics();
  const title = 'Sends by day (UTC)';
  const total = days.reduce((sum, { accepted }) => sum + accepted, 0);
  const all = html`<p><a href="${ctx.link('sends')}">All sends</a></p>`;
  if (total === 0)
    return panel(title, html`<p>No mail was accepted in the last ${counted(days.length, 'day')}.</p>${all}`);
  const picture = lineChart({
    title,
    description: `${shown(total)} accepted in ${counted(days.length, 'day')}.`,
    labels: days.map(({ day }) => day),
    lines: measures.map(([measure, name]) => ({ name, values: days.map((one) => one[measure]) })),
  });
  const table = dataTable(
    title,
    ['Day', ...measures.map(([, head]) => ({ head, isNumber: true }))],
    days.map((one) => [one.day, ...measures.map(([measure]) => shown(one[measure]))]),
  );
  const lack = isComplete
    ? null
    : html`<p class="quiet">The newest ${shown(total)} sends are counted. Earlier days lack some.</p>`;
  return panel(title, html`${pictureWithTable(title, picture, table)}${lack}${all}`);
}

export const overviewPart: OverviewPart = {
  scopes: ['sends:read'],
  render: byDay,
  isWide: true,
  firstStep: {
    text: 'Send the first mail',
    path: 'sends',
    isDone: async ({ calls }) => (await calls.sends.list({ limit: 1 })).data.length > 0,
  },
};
