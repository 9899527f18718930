// The page of one webhook in the console: whether it works, its deliveries with filters, and its settings.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  detailLayout,
  emptyNotice,
  facts,
  filterForm,
  type Html,
  html,
  idOfRow,
  moment,
  nameCell,
  pager,
  panel,
} from '../../../core/unstable.ts';
import type { WebhookResource } from '../schema.ts';
import { healthOf, healthPill, healthSentence } from './health.ts';
import { webhookForms } from './webhook-actions.ts';
import { deliveryPill, isDeliveryStatus, nameOf, responseWords, statusChoices } from './words.ts';

const pageSize = 25;

async function deliveriesPart(ctx: ConsoleContext, id: string): Promise<Html> {
  const path = `webhooks/${id}`;
  const { status, event, cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.webhooks.deliveries({
    id,
    limit: pageSize,
    ...(status !== undefined && isDeliveryStatus(status) ? { status } : {}),
    ...(event === undefined ? {} : { event_type: event.trim() }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [
    { name: 'status', label: 'State', options: statusChoices },
    { name: 'event', label: 'Whole name of the event' },
  ]);
  if (data.length === 0) {
    const empty =
      status === undefined && event === undefined
        ? emptyNotice('A delivery is one event for the receiver. There was none in the last 30 days.')
        : emptyNotice('No delivery matches these filters.', clearFilters(ctx, path));
    return html`${filter}${empty}`;
  }
  const rows = data.map((delivery) => {
    const last = delivery.attempts.at(-1);
    return [
      nameCell(ctx.link(`${path}/deliveries/${delivery.id}`), delivery.event_type, idOfRow(delivery.id)),
      deliveryPill(delivery),
      last === undefined
        ? ''
        : html`<span dir="auto">${last.status_code === null ? last.error : responseWords(last)}</span>`,
      last === undefined ? '' : moment(last.at, ctx),
    ];
  });
  return html`${filter}${dataTable('Deliveries', ['Event', 'State', 'Response', 'Last tried'], rows)}${pager(ctx, path, next)}`;
}

function factsOf(ctx: ConsoleContext, webhook: WebhookResource): Html {
  const events = webhook.events.map((name, index) => html`${index === 0 ? '' : ', '}<code>${name}</code>`);
  return facts([
    ['Address', webhook.url],
    ['Events', html`${events}`],
    ['Signing secret', html`<code>${webhook.secret}</code>`],
    ['Disabled', webhook.disabled_at === null ? undefined : moment(webhook.disabled_at, ctx)],
    ['Created', moment(webhook.created_at, ctx)],
    ['Changed', moment(webhook.updated_at, ctx)],
    ['Id', idOfRow(webhook.id)],
  ]);
}

export async function webhookPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const webhook = await ctx.calls.webhooks.read({ id: ctx.params['webhookId'] ?? '' });
  const health = await healthOf(ctx, webhook);
  return {
    heading: nameOf(webhook),
    status: healthPill(health),
    body: detailLayout(
      [healthSentence(ctx, health), await deliveriesPart(ctx, webhook.id)],
      [panel('Webhook', factsOf(ctx, webhook)), panel('Change it', webhookForms(ctx, webhook))],
    ),
  };
}
