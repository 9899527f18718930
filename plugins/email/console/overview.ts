// The sends in the overview of the console: the numbers of accepted, delivered, bounced and complained mails by day.
import type { ConsoleContext } from '../../../core/index.ts';
import { counted, dataTable, type Html, html, lineChart, panel, pictureWithTable } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';

const formatted = (count: number): string => count.toLocaleString('en-GB');

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
  const allLink = html`<p><a href="${ctx.link('sends')}">All sends</a></p>`;
  if (total === 0)
    return panel(title, html`<p>No mail was accepted in the last ${counted(days.length, 'day')}.</p>${allLink}`);
  const picture = lineChart({
    title,
    showsTitle: false,
    description: `${formatted(total)} accepted in ${counted(days.length, 'day')}.`,
    labels: days.map(({ day }) => day),
    lines: measures.map(([measure, name]) => ({ name, values: days.map((day) => day[measure]) })),
  });
  const table = dataTable(
    title,
    ['Day', ...measures.map(([, head]) => ({ head, isNumber: true }))],
    days.map((counts) => [counts.day, ...measures.map(([measure]) => formatted(counts[measure]))]),
  );
  const incompleteNotice = isComplete
    ? null
    : html`<p class="quiet">The newest ${formatted(total)} sends are counted, so earlier days may be incomplete.</p>`;
  return panel(title, html`${pictureWithTable(title, picture, table)}${incompleteNotice}${allLink}`);
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
