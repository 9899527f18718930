// The open message: its head, its tabs and the chosen view.
import { useEffect, useRef } from 'preact/hooks';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { MessageDetail } from '../wire.ts';
import { Activity } from './activity.ts';
import type { InboxController } from './controller.ts';
import { Head, WhyNotSent } from './head.ts';
import { RenderedMessage } from './mail-frame.ts';
import { SendWithoutMessage } from './send-without-message.ts';
import { ServerUnreachable } from './shared-parts.ts';
import type { InboxState, View } from './state.ts';
import { AttachmentsView, HeadersView, LinksView, SourceView, TextView } from './views.ts';

interface ReaderProps {
  readonly state: InboxState;
  readonly controller: InboxController;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onRemove: () => void;
}

const tabs: readonly {
  readonly view: View;
  readonly text: string;
  readonly count?: (detail: MessageDetail) => number;
}[] = [
  { view: 'message', text: 'Message' },
  // Shown next to the message if there is room.
  { view: 'activity', text: 'Activity' },
  { view: 'text', text: 'Text' },
  { view: 'links', text: 'Links', count: ({ links }) => links.length },
  { view: 'attachments', text: 'Files', count: ({ attachments }) => attachments.length },
  { view: 'headers', text: 'Headers' },
  { view: 'source', text: 'Source' },
];

function Tabs({
  detail,
  view,
  controller,
}: {
  readonly detail: MessageDetail;
  readonly view: View;
  readonly controller: InboxController;
}): Markup {
  /** Arrow keys move between tabs, as usual in a tab list. */
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const shown = tabs.filter(({ view: one }) => document.getElementById(`tab-${one}`)?.offsetParent !== null);
    const at = shown.findIndex(({ view: one }) => one === view);
    const next = shown[(at + by + shown.length) % shown.length];
    if (next === undefined) return;
    controller.turnTo(next.view);
    document.getElementById(`tab-${next.view}`)?.focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label="Views of the message" onKeyDown=${move}>
      ${tabs.map(({ view: one, text, count }) => {
        const number = count?.(detail);
        return html`
          <button
            type="button"
            role="tab"
            key=${one}
            id=${`tab-${one}`}
            class=${one === 'activity' ? 'narrow-only' : ''}
            aria-selected=${String(one === view)}
            aria-controls="view"
            tabindex=${one === view ? 0 : -1}
            onClick=${() => controller.turnTo(one)}
          >${text}${number === undefined || number === 0 ? null : html` <span class="count">${number}</span>`}</button>
        `;
      })}
    </div>
  `;
}

function ChosenView({
  detail,
  state,
  controller,
  onKey,
}: Omit<ReaderProps, 'onRemove'> & { readonly detail: MessageDetail }): Markup {
  switch (state.view) {
    case 'text':
      return html`<${TextView} detail=${detail} />`;
    case 'links':
      return html`<${LinksView} detail=${detail} controller=${controller} />`;
    case 'attachments':
      return html`<${AttachmentsView} detail=${detail} />`;
    case 'headers':
      return html`<${HeadersView} detail=${detail} />`;
    case 'source':
      return html`<${SourceView} detail=${detail} />`;
    case 'activity':
      return html`<${Activity} detail=${detail} controller=${controller} />`;
    default:
      return html`<${RenderedMessage} detail=${detail} state=${state} controller=${controller} onKey=${onKey} />`;
  }
}

/** The right side of the page while a message is open. */
export function Reader({ state, controller, onKey, onRemove }: ReaderProps): Markup {
  const { open, detail, sendWithoutMessage, isMissing, items } = state;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (section.current !== null) section.current.scrollTop = 0;
  }, [open?.id]);
  const message = detail ?? items?.find(({ id }) => id === open?.id);
  if (isMissing) {
    return html`
      <section class="reader" aria-label="Message" ref=${section}>
        <div class="nothing tall">
          <h2>This message was deleted</h2>
          <p>Messages are kept for 7 days, and at most 1,000 for each workspace.</p>
          <button type="button" class="button" onClick=${controller.close}>Back to the list</button>
        </div>
      </section>
    `;
  }
  if (sendWithoutMessage !== undefined) {
    return html`<section class="reader" aria-label="Message" ref=${section}><${SendWithoutMessage} bare=${sendWithoutMessage} state=${state} controller=${controller} onRemove=${onRemove} /></section>`;
  }
  return html`
    <section class="reader" aria-label="Message" ref=${section} aria-busy=${String(detail === undefined)}>
      ${state.online ? null : html`<${ServerUnreachable} />`}
      ${message === undefined ? state.online && html`<p class="hush">Opening the message …</p>` : html`<${Head} message=${message} state=${state} controller=${controller} onRemove=${onRemove} />`}
      ${
        detail === undefined
          ? null
          : html`
            <${WhyNotSent} send=${detail.send} />
            <${Tabs} detail=${detail} view=${state.view} controller=${controller} />
            <div class="body">
              <div id="view" class="view" data-view=${state.view} role="tabpanel" aria-labelledby=${`tab-${state.view}`}>
                <${ChosenView} detail=${detail} state=${state} controller=${controller} onKey=${onKey} />
              </div>
              <aside class="rail" aria-label="Activity"><${Activity} detail=${detail} controller=${controller} /></aside>
            </div>
          `
      }
    </section>
  `;
}
