// The page of one short link in the console: its destination, its visitors, and the charts of its clicks.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  counted,
  detailLayout,
  emptyNotice,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
  tabBar,
} from '../../../core/unstable.ts';
import type { LinkResource } from '../schema.ts';
import { dayChart, valueChart } from './charts.ts';
import { nameOf, shortOf, statusPill, valueCards } from './words.ts';

/** The periods that the page can show, in days. */
const periods = [7, 30, 90, 365] as const;

/** The charts of the cards that the workspace's plan has. */
async function chartsPart(ctx: ConsoleContext, linkId: string): Promise<Html> {
  const days = periods.find((span) => String(span) === ctx.query['days']) ?? 30;
  const { cards } = await ctx.calls.links.analytics({ linkId, days });
  const rowsOf = (key: string) => cards.find(({ cardKey }) => cardKey === key)?.rows ?? [];
  const tabs = tabBar(
    'Days',
    periods.map((span) => ({
      text: counted(span, 'day'),
      href: ctx.link(`links/${linkId}`, { days: String(span) }),
      isCurrent: span === days,
    })),
  );
  const byDay = rowsOf('timeseries');
  if (byDay.every(({ clicks }) => clicks === 0))
    return html`${tabs}${emptyNotice('Nobody followed the link in these days. Programs and prefetches do not count.')}`;
  const otherCards = Object.entries(valueCards).flatMap(([key, [title, name]]) => {
    const rows = rowsOf(key);
    return rows.length === 0 ? [] : [valueChart(title, name, rows)];
  });
  return html`${tabs}${dayChart(byDay)}${otherCards}`;
}

function factsOf(ctx: ConsoleContext, link: LinkResource): Html {
  const { clicks, routeRules, utm } = link;
  const formatted = (count: number): string => count.toLocaleString('en-GB');
  return facts([
    ['Short address', html`<a href="${link.redirectUrl}" rel="noreferrer">${shortOf(link)}</a>`],
    ['Destination', link.destinationUrl],
    ['Clicks, all time', formatted(clicks.total)],
    ['Unique, all time', formatted(clicks.unique)],
    ['Programs and prefetches', formatted(clicks.bots)],
    ['Last click', clicks.lastAt === null ? undefined : moment(clicks.lastAt, ctx)],
    ['Campaign', link.campaignId],
    ['Tags', link.tags.join(', ')],
    [
      'UTM',
      Object.entries(utm)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
    ],
    ['Rules', routeRules.length === 0 ? undefined : `${counted(routeRules.length, 'rule')} for some visitors`],
    ['Password', link.hasPassword ? 'Visitors are asked for it' : undefined],
    ['Begins', link.scheduledGoLiveAt === null ? undefined : moment(link.scheduledGoLiveAt, ctx)],
    ['Ends', link.expiresAt === null ? undefined : moment(link.expiresAt, ctx)],
    ['Created', moment(link.createdAt, ctx)],
    ['Id', idOfRow(link.linkId)],
  ]);
}

const archiveForm = (ctx: ConsoleContext, link: LinkResource): Html | null =>
  link.status === 'archived' || !ctx.mayCall('links.archive')
    ? null
    : actionForm(ctx, 'archive', {
        label: 'Archive',
        question: html`Visitors of ${shortOf(link)} no longer reach ${link.destinationUrl}. An archived link cannot be restored, and its slug stays taken.`,
        verb: 'Archive the link',
        isDestructive: true,
      });

export async function linkPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const link = await ctx.calls.links.read({ linkId: ctx.params['linkId'] ?? '' });
  return {
    heading: nameOf(link),
    status: statusPill(link),
    body: detailLayout(await chartsPart(ctx, link.linkId), [panel('Link', factsOf(ctx, link)), archiveForm(ctx, link)]),
  };
}

/** Archives the link. */
export const archiveAction: ConsoleAction = {
  done: 'The link was archived. Its visitors see the landing page.',
  async run({ calls, params }, { idempotencyKey }) {
    await calls.links.archive({ linkId: params['linkId'] ?? '' }, { idempotencyKey });
  },
};
