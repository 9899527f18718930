// The page of one short link in the console: where it leads, who followed it, and the charts of its clicks.
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

/** How many days can be shown. */
const spans = [7, 30, 90, 365] as const;

/** The charts of the cards that the workspace's plan has. */
async function chartsPart(ctx: ConsoleContext, linkId: string): Promise<Html> {
  const days = spans.find((span) => String(span) === ctx.query['days']) ?? 30;
  const { cards } = await ctx.calls.links.analytics({ linkId, days });
  const rowsOf = (key: string) => cards.find(({ cardKey }) => cardKey === key)?.rows ?? [];
  const tabs = tabBar(
    'Days',
    spans.map((span) => ({
      text: counted(span, 'day'),
      href: ctx.link(`links/${linkId}`, { days: String(span) }),
      isCurrent: span === days,
    })),
  );
  const byDay = rowsOf('timeseries');
  if (byDay.every(({ clicks }) => clicks === 0))
    return html`${tabs}${emptyNotice('Nobody followed the link in these days. Programs and prefetches do not count.')}`;
  const others = Object.entries(valueCards).flatMap(([key, [title, name]]) => {
    const rows = rowsOf(key);
    return rows.length === 0 ? [] : [valueChart(title, name, rows)];
  });
  return html`${tabs}${dayChart(byDay)}${others}`;
}

function factsOf(ctx: ConsoleContext, link: LinkResource): Html {
  const { clicks, routeRules, utm } = link;
  const shown = (count: number): string => count.toLocaleString('en-GB');
  return facts([
    ['Short address', html`<a href="${link.redirectUrl}" rel="noreferrer">${shortOf(link)}</a>`],
    ['Destination', link.destinationUrl],
    ['Clicks, all time', shown(clicks.total)],
    ['Unique, all time', shown(clicks.unique)],
    ['Programs and prefetches', shown(clicks.bots)],
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

/** One link. */
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
