// The part of the console's overview about webhooks: lists the webhooks that do not work.
import type { ConsoleContext } from '../../../core/index.ts';
import { dataTable, type Html, html, moment, nameCell, panel } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';
import { healthOf, healthPill } from './health.ts';
import { nameOf } from './words.ts';

/** The maximum number of webhooks that are checked, newest first. */
const maxWebhooks = 25;

async function failingWebhooks(ctx: ConsoleContext): Promise<Html | null> {
  const { data } = await ctx.calls.webhooks.list({ limit: maxWebhooks });
  const all = await Promise.all(data.map((webhook) => healthOf(ctx, webhook)));
  const rows = all
    .filter(({ webhook, lastAttempt }) =>
      webhook.enabled ? (lastAttempt?.error ?? null) !== null : webhook.disabled_reason !== null,
    )
    .map((health) => [
      nameCell(
        ctx.link(`webhooks/${health.webhook.id}`),
        nameOf(health.webhook),
        health.lastAttempt?.error ?? undefined,
      ),
      healthPill(health),
      health.lastAttempt === undefined ? '' : moment(health.lastAttempt.at, ctx),
    ]);
  if (rows.length > 0)
    return html`<section class="stack"><h2>Failing webhooks</h2>${dataTable('Failing webhooks', ['Webhook', 'State', 'Last tried'], rows)}</section>`;
  return data.length === 0
    ? null
    : panel('Webhooks', html`<p>No webhook fails. <a href="${ctx.link('webhooks')}">All webhooks</a></p>`);
}

export const overviewPart: OverviewPart = {
  scopes: ['webhooks:manage'],
  render: failingWebhooks,
  firstStep: {
    text: 'Create a webhook',
    path: 'webhooks',
    isDone: async ({ calls }) => (await calls.webhooks.list({ limit: 1 })).data.length > 0,
  },
};
