// A send without a message, opened from the list or by a link: its status, its timeline, and the reason why there is no mail.
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { SendDetail, SendInfo } from '../wire.ts';
import { SendActivity } from './activity.ts';
import type { InboxController } from './controller.ts';
import { readable } from './format.ts';
import { Head } from './head.ts';
import type { InboxState } from './state.ts';

/** Events before a mail is made. */
const early = new Set(['send.queued', 'send.scheduled']);

const stay = 'messages stay for 7 days, and 1,000 of each workspace.';

/** The reason why there is no mail, as a heading and a sentence. */
function absenceOf({ whyNotSent, status, events, sandbox }: SendInfo): readonly [heading: string, sentence: string] {
  if (whyNotSent !== undefined) return ['No mail was sent', readable(whyNotSent)];
  if (status === 'canceled') return ['No mail was sent', 'The send was canceled before its time.'];
  if (status === 'scheduled') return ['No mail yet', 'The send is scheduled. Its mail is made at the scheduled time.'];
  if (events.every(({ type }) => early.has(type)))
    return ['No mail yet', 'The mail is being made, and appears here by itself.'];
  if (sandbox) return ['This message was deleted', `It was deleted or has expired: ${stay}`];
  return ['The inbox has no mail of this send', `It went to a mail server, was deleted, or has expired: ${stay}`];
}

/** The right side of the page. */
export function SendWithoutMessage(props: {
  readonly bare: SendDetail;
  readonly state: InboxState;
  readonly controller: InboxController;
  readonly onRemove: () => void;
}): Markup {
  const { bare, state, controller, onRemove } = props;
  const { send, id, workspace } = bare;
  const [heading, sentence] = absenceOf(send);
  const { templateKey: template, to, from, subject, status } = send;
  const origin = send.sandbox ? 'sandbox' : 'live';
  const message = { id, workspace, template, to, from, subject, status, origin, created_at: send.createdAt };
  return html`
    <${Head} message=${message} state=${state} controller=${controller} ...${bare.listed ? { onRemove } : {}} />
    <div class="bare">
      <section class="absence" aria-labelledby="absence">
        <h3 id="absence">${heading}</h3>
        <p dir="auto">${sentence}</p>
        <button type="button" class="button" onClick=${controller.close}>Back to the list</button>
      </section>
      <${SendActivity} send=${send} />
    </div>
  `;
}
