// The deliveries of one subscription: a row for each, which expands to its attempts and its body.
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { ConsoleDelivery } from '../console/wire.ts';
import type { WebhooksController } from './controller.ts';
import { indented, stateOf, timeOf } from './format.ts';
import type { WebhooksState } from './state.ts';

interface DeliveriesProps {
  readonly state: WebhooksState;
  readonly controller: WebhooksController;
}

const Attempts = ({ delivery }: { readonly delivery: ConsoleDelivery }): Markup => html`
  <h3>Tries</h3>
  <ol class="attempts">
    ${delivery.attempts.map(
      ({ at, status_code: status, duration_ms: took, error, response_excerpt: excerpt }, index) => html`
        <li key=${index}>
          <p class="try"><time datetime=${at}>${timeOf(at)}</time> <b>${status ?? 'No answer'}</b> <span class="hush">after ${took.toLocaleString()} ms</span></p>
          ${error === null ? null : html`<p dir="auto">${error}</p>`}
          ${excerpt === null ? null : html`<pre class="excerpt" tabindex="0" aria-label="The receiver's answer" dir="auto">${excerpt}</pre>`}
        </li>
      `,
    )}
  </ol>
`;

function Unfolded({ state, controller, delivery }: DeliveriesProps & { readonly delivery: ConsoleDelivery }): Markup {
  const body = state.body?.of === delivery.id ? indented(state.body.text) : 'Reading …';
  return html`
    <div class="unfolded">
      <p class="again">
        <button type="button" class="button replay" aria-disabled=${String(delivery.status === 'pending')} onClick=${() => delivery.status !== 'pending' && controller.replay(delivery.id)}>Post again</button>
        ${delivery.status === 'pending' ? html`<span class="hush">It waits to be posted. Once it is delivered or given up, it can be posted again.</span>` : null}
        <code class="hush">${delivery.id}</code>
      </p>
      ${delivery.attempts.length === 0 ? html`<p class="hush">It was not tried yet.</p>` : html`<${Attempts} delivery=${delivery} />`}
      ${
        delivery.next_attempt_at === null
          ? null
          : html`<p class="hush">Tried next at <time datetime=${delivery.next_attempt_at}>${timeOf(delivery.next_attempt_at)}</time>.</p>`
      }
      <h3>Body</h3>
      <pre class="body" tabindex="0" aria-label="Body">${body}</pre>
    </div>
  `;
}

function Row({ state, controller, delivery }: DeliveriesProps & { readonly delivery: ConsoleDelivery }): Markup {
  const open = state.delivery === delivery.id;
  const { text, tone } = stateOf(delivery);
  const last = delivery.attempts.at(-1);
  return html`
    <li class="delivery">
      <button type="button" class="row" aria-expanded=${String(open)} onClick=${() => controller.unfold(delivery.id)}>
        <span class=${`status ${tone}`}>${text}</span>${' '}
        <b>${delivery.event_type}</b>${' '}
        <span class="hush">${last === undefined || last.status_code === null ? '' : `${last.status_code}, ${last.duration_ms} ms`}</span>${' '}
        <time datetime=${delivery.created_at}>${timeOf(delivery.created_at)}</time>${' '}
        <code>${delivery.id}</code>
        ${last?.status_code === null && last.error !== null ? html`${' '}<span class="reason" dir="auto">${last.error}</span>` : null}
      </button>
      ${open ? html`<${Unfolded} state=${state} controller=${controller} delivery=${delivery} />` : null}
    </li>
  `;
}

/** Why no delivery is shown. */
function emptyText({ status, event }: WebhooksState): string {
  if (event !== '') return 'No delivery here has this event and status.';
  if (status === 'failed') return 'No delivery was given up. One that failed and is tried again is under Pending.';
  if (status === 'pending') return 'No delivery waits.';
  return status === '' ? 'Nothing was posted here in the last 30 days.' : 'Nothing was delivered in the last 30 days.';
}

/** All loaded deliveries. */
export function Deliveries({ state, controller }: DeliveriesProps): Markup {
  const { deliveries, cursor } = state;
  if (deliveries === undefined) return html`<p class="hush">Reading …</p>`;
  if (deliveries.length === 0) {
    return html`<p class="hush">${emptyText(state)}</p>`;
  }
  return html`
    <ul class="deliveries">
      ${deliveries.map((delivery) => html`<${Row} key=${delivery.id} state=${state} controller=${controller} delivery=${delivery} />`)}
    </ul>
    ${cursor === null ? null : html`<button type="button" class="button more" onClick=${() => controller.loadMore()}>Older ones</button>`}
  `;
}
