// One event of the catalogue in the console: its description, and the delivery that a webhook gets.
import { type ConsoleContext, type ConsoleView, coreErrors } from '../../../core/index.ts';
import { html, panel, pill } from '../../../core/unstable.ts';
import { catalogEvents } from './list.ts';

/** One event. @throws route_not_found */
export async function eventPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const type = ctx.params['type'] ?? '';
  const event = (await catalogEvents(ctx)).find((one) => one.type === type);
  if (event === undefined) throw coreErrors.route_not_found({ path: `events/${type.slice(0, 200)}` });
  const webhooks = ctx.mayCall('webhooks.create')
    ? html`<p><a class="button" href="${ctx.link('webhooks')}">To the webhooks</a></p>`
    : null;
  const example = html`<pre class="json" tabindex="0">${JSON.stringify(event.exampleDelivery, undefined, 2)}</pre>`;
  return {
    heading: event.type,
    status: pill(event.source === 'custom' ? 'Of your product' : 'Of the service'),
    meta: html`${event.description}`,
    body: html`${panel('Example of a delivery', example)}${webhooks}`,
  };
}
