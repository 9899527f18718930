// The head of the open message or send: subject, people, status, and the reason why a send failed.
import { useEffect, useRef } from 'preact/hooks';
import { urlOf } from '../../../core/pages/browser/api.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { MessageDetail, MessageItem, SendInfo } from '../wire.ts';
import type { InboxController } from './controller.ts';
import { readable, statusOf, wholeTimeOf } from './format.ts';
import { IconButton, Status } from './shared-parts.ts';
import type { InboxState } from './state.ts';

/** The content of the head, for a message or for a send without a message. */
export type HeadFacts = Pick<MessageItem, 'id' | 'workspace' | 'template' | 'from' | 'subject' | 'status'> &
  Pick<MessageItem, 'created_at' | 'origin'> & { readonly to: MessageItem['to'] | MessageDetail['to'] };

/** The page of the send in the console; null if there is no console. */
function consoleUrlOf({ id, workspace, origin }: HeadFacts, { workspaces }: InboxState): string | null {
  const root = workspaces?.console ?? null;
  const side = origin === 'live' ? 'live' : 'sandbox';
  return root === null ? null : urlOf(root, { workspace, side, page: `sends/${id}` });
}

interface HeadProps {
  readonly message: HeadFacts;
  readonly state: InboxState;
  readonly controller: InboxController;
  /** Absent if there is nothing to delete. */
  readonly onRemove?: () => void;
}

/** Shown from the list's data until the message is loaded. */
export function Head({ message, state, controller, onRemove }: HeadProps): Markup {
  const heading = useRef<HTMLHeadingElement>(null);
  const { id, from } = message;
  useEffect(() => {
    // On a phone the list is hidden once a message is open: the focus moves to the message.
    if (document.getElementById(`row-${id}`)?.offsetParent === null) heading.current?.focus({ preventScroll: true });
  }, [id]);
  const to = typeof message.to === 'string' ? { email: message.to, name: '' } : message.to;
  const name = state.workspaces?.data.find((workspace) => workspace.id === message.workspace)?.name;
  const consoleUrl = consoleUrlOf(message, state);
  return html`
    <header class="head">
      <div class="head-line">
        <span class="back"><${IconButton} icon="back" label="Back to the list" onClick=${controller.close} /></span>
        <h2 ref=${heading} tabindex="-1" dir="auto">${message.subject || '(no subject)'}</h2>
        <span class="head-actions">
          ${onRemove === undefined || !controller.mayChange(message.workspace) ? null : html`<${IconButton} icon="trash" label="Delete this message" keys="Shift+Del" onClick=${onRemove} />`}
          <span class="wide-only"><${IconButton} icon="close" label="Close" onClick=${controller.close} /></span>
        </span>
      </div>
      <dl class="envelope">
        <div><dt>To</dt><dd><b>${to.email}</b>${to.name === '' ? null : html` <bdi>${to.name}</bdi>`}</dd></div>
        <div><dt>From</dt><dd>${from.name === '' ? from.email : html`<bdi>${from.name}</bdi> <span class="quiet">${from.email}</span>`}</dd></div>
      </dl>
      <p class="head-facts">
        <${Status} ...${statusOf(message.status)} />
        <span class="tag">${message.template}</span>
        ${message.origin === 'live' ? html`<span class="tag live">live</span>` : html`<span class="tag">${message.origin}</span>`}
        ${name === undefined || (state.workspaces?.data.length ?? 0) < 2 ? null : html`<span class="tag where">${name}</span>`}
        <time datetime=${message.created_at}>${wholeTimeOf(message.created_at)}</time>
        ${consoleUrl === null ? null : html`<a href=${consoleUrl}>In the console</a>`}
      </p>
    </header>
  `;
}

/** The reason why the mail of a send was not sent or did not arrive, in one sentence. Empty if it arrived. */
export const WhyNotSent = ({ send }: { readonly send: SendInfo | null }): Markup =>
  send?.whyNotSent === undefined
    ? null
    : html`<p class="why" role="note"><b>${send.status === 'bounced' ? 'Not delivered.' : 'Not sent.'}</b> <span dir="auto">${readable(send.whyNotSent)}</span></p>`;
