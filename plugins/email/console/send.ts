// The page of one send in the console: its result with the reason, its timeline, and links to its contact, template and broadcast.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
  type TimelineStep,
  timelineOf,
  withMoments,
} from '../../../core/unstable.ts';
import type { SendPublic, SendTimelineItem } from '../schema.ts';
import { deliveriesOf } from './send-deliveries.ts';
import { statePill, stepWords, toneOf } from './words.ts';

/** The result of the send as a sentence. */
function resultOf({ status, to, whyNotSent, scheduledAt, events }: SendPublic): string {
  if (whyNotSent !== undefined)
    return status === 'scheduled' ? `It waits to be sent. ${whyNotSent}` : `It was not sent. ${whyNotSent}`;
  const bounce = events.findLast((event) => event.bounce !== undefined)?.bounce;
  switch (status) {
    case 'scheduled':
      return scheduledAt ? `It will be sent to ${to} at ${scheduledAt}.` : `It waits to be sent to ${to}.`;
    case 'delivered':
      return `The mailbox of ${to} accepted it.`;
    case 'bounced':
      return `The mailbox of ${to} refused it${bounce === undefined ? '.' : `: ${bounce.diagnostic}`}`;
    case 'complained':
      return `${to} reported it as spam.`;
    case 'delivery_delayed':
      return `The mailbox of ${to} has not accepted it yet; the provider tries again.`;
    case 'sent':
      return `It was handed over. No report has come from the mailbox of ${to} yet.`;
    default:
      return 'It was not sent.';
  }
}

function stepOf(ctx: ConsoleContext, event: SendTimelineItem): TimelineStep {
  const [title, tone] = stepWords(event);
  const { bounce, click, bot, reason } = event;
  const detail = [
    ...(bounce === undefined ? [] : [`${bounce.class}: ${bounce.diagnostic}`]),
    ...(click === undefined ? [] : [click.url]),
    ...(bot?.verdict === 'bot' ? ['Probably a program, not a person'] : []),
    ...(reason === undefined ? [] : [reason]),
  ].join(' · ');
  return {
    at: event.occurredAt ?? event.ts,
    title,
    tone,
    ...(detail === '' ? {} : { detail: withMoments(detail, ctx) }),
  };
}

async function contactLink(ctx: ConsoleContext, to: string): Promise<Html> {
  if (!ctx.mayCall('contacts.list')) return html`${to}`;
  const { data } = await ctx.calls.contacts.list({ email: to, limit: 1 });
  const [contact] = data;
  return contact === undefined ? html`${to}` : html`<a href="${ctx.link(`contacts/${contact.id}`)}">${to}</a>`;
}

/** The sends of a broadcast have its id in their metadata. */
function broadcastLink(ctx: ConsoleContext, { metadata }: SendPublic): Html | undefined {
  const broadcastId = metadata?.['broadcastId'];
  if (typeof broadcastId !== 'string' || !broadcastId.startsWith('brc_')) return undefined;
  return ctx.mayCall('broadcasts.read')
    ? html`<a href="${ctx.link(`broadcasts/${broadcastId}`)}">${broadcastId}</a>`
    : idOfRow(broadcastId);
}

/** The sends of a sequence have its key and the id of the run in their metadata. */
function runLink(ctx: ConsoleContext, { metadata }: SendPublic): Html | undefined {
  const { sequence, runId } = metadata ?? {};
  if (typeof sequence !== 'string' || typeof runId !== 'string' || !runId.startsWith('run_')) return undefined;
  if (!ctx.mayCall('sequences.run_read')) return html`${sequence}`;
  return html`<a href="${ctx.link(`sequences/runs/${runId}`)}">${sequence}</a>`;
}

const cancelForm = (ctx: ConsoleContext, { status, to, subject }: SendPublic): Html | null =>
  status === 'scheduled' && ctx.mayCall('email.cancel_scheduled')
    ? actionForm(ctx, 'cancel', {
        label: 'Cancel this send',
        question: html`The mail “${subject}” to ${to} is not sent then. Nobody else is affected.`,
        verb: 'Cancel the send',
        isDestructive: true,
      })
    : null;

export async function sendPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const send = await ctx.calls.sends.read({ id: ctx.params['sendId'] ?? '' });
  const { status, subject, to, from, tags, metadata, templateKey: key, templateVersion: version } = send;
  const sendFacts = facts([
    ['Recipient', await contactLink(ctx, to)],
    [
      'Template',
      html`<a href="${ctx.link(`templates/${key}`)}">${key}</a> <span class="quiet">${version === 0 ? 'draft' : `version ${version}`}</span>`,
    ],
    ['Broadcast', broadcastLink(ctx, send)],
    ['Run of a sequence', runLink(ctx, send)],
    ['Sender', from.name === '' ? from.email : `${from.name} <${from.email}>`],
    ['Accepted', moment(send.createdAt, ctx)],
    ['Scheduled for', send.scheduledAt ? moment(send.scheduledAt, ctx) : undefined],
    ['Expires', send.expiresAt === undefined ? undefined : moment(send.expiresAt, ctx)],
    ['Language', send.locale],
    ['Provider', send.connectorProvider],
    ['Opens', send.opens],
    ['Clicks', send.clicks],
    ['Tags', tags.join(', ')],
    ['Test', send.test === true ? 'Yes' : undefined],
    ['Message in the inbox', send.inboxUrl === undefined ? undefined : html`<a href="${send.inboxUrl}">Open</a>`],
    ['Key', send.apiKeyId === null ? undefined : idOfRow(send.apiKeyId)],
    ['Id', idOfRow(send.id)],
  ]);
  const main = [
    conclusion(toneOf(status), withMoments(resultOf(send), ctx)),
    cancelForm(ctx, send),
    panel(
      'Timeline',
      timelineOf(
        ctx,
        send.events.map((event) => stepOf(ctx, event)),
      ),
    ),
    await deliveriesOf(ctx, send),
    metadata === undefined
      ? null
      : panel('Metadata', html`<pre class="json" tabindex="0">${JSON.stringify(metadata, null, 2)}</pre>`),
  ];
  return {
    heading: subject || 'A mail without subject',
    status: statePill(status),
    body: detailLayout(main, panel('Send', sendFacts)),
  };
}

/** Cancels a scheduled send. */
export const cancelAction: ConsoleAction = {
  done: 'The send was canceled. Nothing will be sent.',
  async run({ calls, params }, { idempotencyKey }) {
    await calls.email.cancelScheduled({ id: params['sendId'] ?? '' }, { idempotencyKey });
  },
};
