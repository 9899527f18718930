// The events of a send, and the buttons that simulate further events.

import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { MessageDetail, ReportType, SendInfo, SendTimelineEvent } from '../wire.ts';
import type { InboxController } from './controller.ts';
import { eventOf, readable, secondOf, sizeOf, wholeTimeOf } from './format.ts';
import { CopyButton } from './shared-parts.ts';

const bounceNames: Readonly<Record<string, string>> = { hard: 'Hard bounce', soft: 'Soft bounce' };

/** The details beside the name of an event. */
function detailOf({ synthetic, bounce, click, reason }: SendTimelineEvent): Markup {
  const lines = [
    ...(synthetic ? ['simulated'] : []),
    ...(bounce === undefined ? [] : [`${bounceNames[bounce.class] ?? 'Bounce'}. ${bounce.diagnostic}`]),
    ...(click === undefined ? [] : [click.url]),
    ...(reason === undefined || reason === bounce?.diagnostic ? [] : [readable(reason)]),
  ];
  return lines.map((line) => html`<p key=${line}>${line}</p>`) as Markup;
}

const Timeline = ({ events }: { readonly events: readonly SendTimelineEvent[] }): Markup => html`
  <ol class="timeline">
    ${events.map((event) => {
      const { text, tone } = eventOf(event.type);
      return html`
        <li key=${event.id} class=${tone}>
          <div><b>${text}</b> <time datetime=${event.ts} title=${wholeTimeOf(event.ts)}>${secondOf(event.ts)}</time></div>
          ${detailOf(event)}
        </li>
      `;
    })}
  </ol>
`;

const reports: readonly { readonly type: ReportType; readonly text: string; readonly bad?: boolean }[] = [
  { type: 'delivered', text: 'Delivered' },
  { type: 'open', text: 'Opened' },
  { type: 'click', text: 'Link clicked' },
  { type: 'soft_bounce', text: 'Soft bounce', bad: true },
  { type: 'hard_bounce', text: 'Hard bounce', bad: true },
  { type: 'complaint', text: 'Marked as spam', bad: true },
];

function Reports({
  detail,
  controller,
}: {
  readonly detail: MessageDetail;
  readonly controller: InboxController;
}): Markup {
  const hasLink = detail.links.some(({ url }) => /^https?:/i.test(url));
  return html`
    <section aria-labelledby="reports">
      <h3 id="reports">Report</h3>
      <p class="quiet">
        ${
          detail.origin === 'live'
            ? html`As the mail provider would. This is a live send: a hard bounce or a complaint <b>suppresses ${detail.to.email}</b>.`
            : 'As the mail provider would. This is a simulated send: no address is suppressed.'
        }
      </p>
      <div class="reports">
        ${reports.map(
          ({ type, text, bad }) => html`
            <button type="button" key=${type} class=${bad ? 'button small bad' : 'button small'} disabled=${type === 'click' && !hasLink} onClick=${() => controller.report(type)}>${text}</button>
          `,
        )}
      </div>
    </section>
  `;
}

const modes = { sandbox: 'Sandbox', test: 'Test send', live: 'Live, captured' } as const;

const versionOf = ({ templateVersion }: SendInfo): string =>
  templateVersion === 0 ? ', draft' : `, version ${templateVersion}`;

function Facts({
  id,
  facts,
}: {
  readonly id: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}): Markup {
  return html`
    <section aria-labelledby="facts">
      <h3 id="facts">Send</h3>
      <p class="identity"><span class="code">${id}</span><${CopyButton} text=${id} label="Copy the id" bare=${true} /></p>
      <dl class="facts">${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    </section>
  `;
}

/** Status, timeline, reports and the values that a user copies. */
export function Activity({
  detail,
  controller,
}: {
  readonly detail: MessageDetail;
  readonly controller: InboxController;
}): Markup {
  const { send } = detail;
  return html`
    <div class="activity">
      <section aria-labelledby="timeline">
        <h3 id="timeline">Timeline</h3>
        ${send === null ? html`<p class="quiet">The send was deleted.</p>` : html`<${Timeline} events=${send.events} />`}
      </section>
      ${send === null || !controller.mayChange(detail.workspace) ? null : html`<${Reports} detail=${detail} controller=${controller} />`}
      <${Facts}
        id=${detail.id}
        facts=${[
          ['Template', `${detail.template}${send === null ? '' : versionOf(send)}`],
          ['Mode', modes[detail.origin]],
          ['Size', sizeOf(detail.size)],
        ]}
      />
    </div>
  `;
}

/** The activity of a send without a message. */
export const SendActivity = ({ send }: { readonly send: SendInfo }): Markup => html`
  <div class="activity">
    <section aria-labelledby="timeline">
      <h3 id="timeline">Timeline</h3>
      <${Timeline} events=${send.events} />
    </section>
    <${Facts}
      id=${send.id}
      facts=${[['Template', `${send.templateKey}${versionOf(send)}`], ['Mode', send.sandbox ? modes.sandbox : 'Live']]}
    />
  </div>
`;
