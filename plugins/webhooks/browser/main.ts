// The page: connects state, controller and components. Runs once, when the page is loaded.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused, showPage, titleWindow, WorkspacePicker } from '../../../core/pages/browser/console.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import { Notice } from '../../../core/pages/browser/notice.ts';
import { SearchField, useFocusKept } from '../../../core/pages/browser/search-field.ts';
import type { ConsoleWebhook } from '../console/wire.ts';
import { createController, type WebhooksController } from './controller.ts';
import { Deliveries } from './deliveries.ts';
import { healthOf, timeOf } from './format.ts';
import { chosenOf, emptyState, statuses, type WebhooksState } from './state.ts';

interface WebhooksPageProps {
  readonly state: WebhooksState;
  readonly controller: WebhooksController;
}

function Side({ state, controller }: WebhooksPageProps): Markup {
  const { workspaces, webhooks } = state;
  return html`
    <nav class="side" aria-label="Webhooks">
      <h1>Webhooks</h1>
      <${WorkspacePicker} workspaces=${workspaces?.data} value=${state.workspace} set=${(id: string) => controller.go({ workspace: id })} />
      <ul class="choices webhooks">
        ${webhooks?.map((webhook) => {
          const { text, tone } = healthOf(webhook);
          return html`
            <li key=${webhook.id}>
              <button type="button" aria-current=${String(webhook.id === state.webhook)} onClick=${() => controller.go({ webhook: webhook.id }, 'details')}>
                <span class=${`status ${tone}`}>${text}</span>${' '}
                ${webhook.sandbox ? html`<span class="mark">Sandbox</span> ` : null}
                <b dir="auto">${webhook.description ?? webhook.url}</b>${' '}
                ${webhook.description === null ? null : html`<span class="hush">${webhook.url}</span>`}
              </button>
            </li>
          `;
        })}
      </ul>
      ${webhooks?.length === 0 ? html`<p class="hush">This workspace has no webhooks.</p>` : null}
    </nav>
  `;
}

function WebhookDetails({
  webhook,
  controller,
}: {
  readonly webhook: ConsoleWebhook;
  readonly controller: WebhooksController;
}): Markup {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => controller.reveal(heading.current), [webhook.id]);
  const since = webhook.disabled_at ?? webhook.failing_since;
  return html`
    <header class="facts">
      <h2 ref=${heading} tabindex="-1" dir="auto">${webhook.description ?? webhook.url}</h2>
      ${webhook.description === null ? null : html`<p class="url">${webhook.url}</p>`}
      <p class="hush">
        ${webhook.sandbox ? html`<span class="mark">Sandbox</span>` : null} <code>${webhook.id}</code> ${webhook.events.join(', ')}
      </p>
      ${
        webhook.enabled
          ? null
          : html`
            <div class="warning">
              <p>Disabled since <time datetime=${since}>${timeOf(since ?? '')}</time>. ${webhook.disabled_reason}</p>
              <button type="button" class="button enable" onClick=${() => controller.enable(webhook.id)}>Enable again</button>
            </div>
          `
      }
      ${
        webhook.enabled && since !== null
          ? html`<p class="warning">Failing since <time datetime=${since}>${timeOf(since)}</time>. After five days without a delivery, the webhook is disabled.</p>`
          : null
      }
    </header>
  `;
}

function foundWords({ event, deliveries, cursor, isOutdated }: WebhooksState): string {
  if (event === '' || deliveries === undefined || isOutdated) return '';
  const count = `${deliveries.length}${cursor === null ? '' : ' or more'}`;
  return `${count} ${count === '1' ? 'delivery' : 'deliveries'} found.`;
}

function Filters({ state, controller }: WebhooksPageProps): Markup {
  const words = { '': 'All', pending: 'Pending', delivered: 'Delivered', failed: 'Given up' } as const;
  return html`
    <div class="filters">
      <div class="segments" role="group" aria-label="Status">
        ${statuses.map(
          (status) => html`
            <button type="button" key=${status} aria-pressed=${String(status === state.status)} onClick=${() => controller.go({ status })}>${words[status]}</button>
          `,
        )}
      </div>
      <${SearchField} name="event" label="Event" placeholder="part of its name" value=${state.event} set=${controller.search} found=${foundWords(state)} />
    </div>
  `;
}

/** Why no webhook is shown. */
function absence({ webhooks, webhook }: WebhooksState): string {
  if (webhooks === undefined) return 'Reading …';
  if (webhook !== '') return `There is no webhook ${webhook}, or it was deleted.`;
  return 'Make a webhook with POST /v1/webhooks: its deliveries are shown here.';
}

function Page(): Markup {
  const [state, setState] = useState(emptyState);
  const [controller] = useState(() => createController(setState));
  const place = useRef<HTMLElement>(null);
  useEffect(() => controller.start(), []);
  useFocusKept(place);
  const webhook = chosenOf(state);
  titleWindow([webhook?.description ?? webhook?.url, 'Webhooks', state.workspaces?.service.name]);
  if (state.refusal !== undefined)
    return html`<${Refused} title="The webhooks cannot be shown" reason=${state.refusal} />`;
  return html`
    <div class="console">
      <${Side} state=${state} controller=${controller} />
      <main ref=${place}>
        ${state.online ? null : html`<p class="warning" role="status">The service cannot be reached. Trying again …</p>`}
        ${
          webhook === undefined
            ? html`<p class="hush">${absence(state)}</p>`
            : html`
              <${WebhookDetails} webhook=${webhook} controller=${controller} />
              <${Filters} state=${state} controller=${controller} />
              <${Deliveries} state=${state} controller=${controller} />
            `
        }
      </main>
      <${Notice} notice=${state.notice} />
    </div>
  `;
}

showPage('webhooks-console', Page);
