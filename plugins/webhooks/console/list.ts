// The page of webhooks in the console: a list with their health.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  beginsWith,
  comparedRows,
  dataTable,
  emptyNotice,
  html,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import type { WebhookResource } from '../schema.ts';
import { createForm } from './create.ts';
import { healthOf, healthPill } from './health.ts';
import { nameOf } from './words.ts';

const path = 'webhooks';
const pageSize = 25;
/** The maximum number of event names in a row. */
const maxNames = 4;

function eventsIn({ events }: Pick<WebhookResource, 'events'>): string {
  const hiddenCount = events.length - maxNames;
  return `${events.slice(0, maxNames).join(', ')}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}`;
}

/** Finds webhooks among the newest: those with this id, and those whose name or URL begins with the text. */
export async function findWebhooks({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const { data } = await calls.webhooks.list({ limit: comparedRows });
  return data
    .filter(({ id, description, url }) => id === text || beginsWith(text, description, url, new URL(url).hostname))
    .map((webhook) => ({ title: nameOf(webhook), detail: webhook.url, path: `${path}/${webhook.id}` }));
}

export async function webhookList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.webhooks.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const all = await Promise.all(data.map((webhook) => healthOf(ctx, webhook)));
  const rows = all.map((health) => {
    const { webhook } = health;
    const name = nameOf(webhook);
    return [
      nameCell(ctx.link(`${path}/${webhook.id}`), name, name === webhook.url ? undefined : webhook.url),
      healthPill(health),
      eventsIn(webhook),
      health.lastAttempt === undefined ? '' : moment(health.lastAttempt.at, ctx),
    ];
  });
  const table =
    rows.length === 0
      ? emptyNotice('A webhook posts events to a server of yours, signed. Create the first one above.')
      : dataTable('Webhooks', ['Webhook', 'State', 'Events', 'Last tried'], rows);
  const catalog =
    ctx.mayCall('events.catalog') && ctx.mayCall('events.recorded')
      ? html`<p><a href="${ctx.link('events')}">All events, with an example of each</a></p>`
      : null;
  return { heading: 'Webhooks', body: html`${createForm(ctx)}${catalog}${table}${pager(ctx, path, next)}` };
}
