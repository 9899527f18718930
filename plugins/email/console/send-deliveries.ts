// The deliveries of a send's events to webhooks, on the page of the send.
import type { ConsoleContext } from '../../../core/index.ts';
import { dataTable, type Html, html, moment, nameCell, type PillTone, pill } from '../../../core/unstable.ts';
import type { SendPublic } from '../schema.ts';
import { stepWords } from './words.ts';

/** The maximum number of events whose deliveries are shown, newest first. */
const maxEvents = 20;

const states: Readonly<Record<'pending' | 'delivered' | 'failed', readonly [words: string, tone: PillTone]>> = {
  pending: ['Waiting', 'wait'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
};

/** A table of the deliveries. Null if no webhook gets events of the send, or the person may not see webhooks. */
export async function deliveriesOf(ctx: ConsoleContext, { events }: SendPublic): Promise<Html | null> {
  if (!ctx.mayCall('webhooks.event_deliveries')) return null;
  const newest = new Map(events.slice(-maxEvents).map((event) => [event.id, event] as const));
  if (newest.size === 0) return null;
  const { deliveries } = await ctx.calls.webhooks.eventDeliveries({ event_ids: [...newest.keys()].join(',') });
  const rows = deliveries.map((delivery) => {
    const event = newest.get(delivery.event_id);
    const last = delivery.attempts.at(-1);
    const { id, webhook_id: webhookId, status } = delivery;
    return [
      nameCell(
        ctx.link(`webhooks/${webhookId}/deliveries/${id}`),
        event === undefined ? delivery.event_type : stepWords(event)[0],
      ),
      pill(...states[status]),
      last?.error === undefined || last.error === null ? '' : html`<span dir="auto">${last.error}</span>`,
      last === undefined ? '' : moment(last.at, ctx),
    ];
  });
  return rows.length === 0
    ? null
    : dataTable('Deliveries to webhooks', ['Event', 'State', 'Error', 'Last tried'], rows);
}
