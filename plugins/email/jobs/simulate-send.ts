// Simulates a sandbox send: the message does not leave the process. Records the synthetic outcome of the scenario, and puts the message
// into the development inbox and, if the mail adapter captures messages, into the adapter.
import { defineJob, type JobContext, z } from '../../../core/index.ts';
import { findSend } from '../delivery/find-send.ts';
import { keepBack, keepBackForBroadcast } from '../delivery/keep-back.ts';
import { renderSend } from '../delivery/message.ts';
import { isMailError, type OutgoingMail } from '../port/index.ts';
import type { scenarios } from '../schema.ts';
import { sendRows } from '../store.ts';
import type { SendRow } from '../tables.ts';
import { listSendWithoutMail } from '../timeline/list-send-without-mail.ts';
import { recordOnTimeline, type SendTimelineEntry } from '../timeline/record.ts';
import { storeLinks } from '../tracking/store-links.ts';

type Scenario = (typeof scenarios)[number];

const bounced = (hard: boolean): SendTimelineEntry => ({
  type: 'send.bounced',
  status: 'bounced',
  whyNotSent: hard ? 'Simulated: no such mailbox.' : 'Simulated: the mailbox is full.',
  details: {
    bounce: hard
      ? {
          class: 'hard',
          subType: 'no_mailbox',
          smtpCode: 550,
          enhancedCode: '5.1.1',
          diagnostic: 'Simulated: no such mailbox.',
        }
      : {
          class: 'soft',
          subType: 'mailbox_full',
          smtpCode: 452,
          enhancedCode: '4.2.2',
          diagnostic: 'Simulated: the mailbox is full.',
        },
  },
  finished: true,
});

const failed = (reason: string): SendTimelineEntry => ({
  type: 'send.failed',
  status: 'failed',
  details: { reason },
  whyNotSent: reason,
  finished: true,
});

const entries: Readonly<Record<Scenario, SendTimelineEntry>> = {
  delivered: { type: 'send.delivered', status: 'delivered', finished: true },
  hard_bounced: bounced(true),
  soft_bounced: bounced(false),
  delivery_delayed: {
    type: 'send.delivery_delayed',
    status: 'delivery_delayed',
    details: { reason: 'Simulated delay.' },
    finished: true,
  },
  complained: { type: 'send.complained', status: 'complained', finished: true },
  // Opens and clicks change only the status of a scheduled send, because the status of a send never moves backwards.
  opened: {
    type: 'send.opened',
    status: 'sent',
    details: { bot: { verdict: 'human', reason: 'simulated' } },
    finished: true,
  },
  clicked: {
    type: 'send.clicked',
    status: 'sent',
    details: { click: { url: 'https://example.com/' }, bot: { verdict: 'human', reason: 'simulated' } },
    finished: true,
  },
  failed: failed('Simulated failure.'),
  suppressed: {
    type: 'transactional.suppressed',
    status: 'suppressed',
    details: { reason: 'Simulated suppression.' },
    whyNotSent: 'Simulated suppression.',
    finished: true,
  },
};

/** Hands the message to an adapter that captures messages. Returns the reason if the adapter refuses. */
async function capture(ctx: JobContext, send: SendRow, mail: OutgoingMail): Promise<string | undefined> {
  const adapter = await ctx.ports.mail.of(ctx.workspace.id).catch((cause: unknown) => {
    ctx.log.warn(
      { send_id: send.id, cause: String(cause) },
      'a sandbox message is not shown: there is no mail adapter',
    );
  });
  if (!adapter?.capabilities.captures) return undefined;
  const { signal, workspace, ports } = ctx;
  const { outgoing } = ports;
  try {
    await adapter.send(mail, {
      signal,
      idempotencyKey: send.id,
      workspaceId: workspace.id,
      sandbox: true,
      outgoing,
    });
    return undefined;
  } catch (error) {
    if (isMailError(error) && error.fault !== 'transient') return error.message;
    throw error;
  }
}

const simulated = (send: SendRow): boolean => send.status === 'sent' || send.status === 'scheduled';

export const simulateSend = defineJob({
  kind: 'email.simulate',
  payload: z.object({ sendId: z.string() }),
  lane: 'normal',

  async handler(ctx, { sendId }) {
    const sendToDeliver = await findSend(ctx, sendId, { moment: 'leaves' });
    if (sendToDeliver === undefined || !simulated(sendToDeliver.send)) return ctx.complete();
    const { send, content, outcome, gate } = sendToDeliver;
    if (gate !== 'open') return keepBackForBroadcast(ctx, send);
    if (outcome.kind !== 'sent') return keepBack(ctx, send, outcome);
    const scenario = send.scenario ?? 'delivered';
    const rendered = await renderSend(ctx, send, content);
    const refusal = rendered.ok ? await capture(ctx, send, rendered.mail) : rendered.reason;
    const reason = rendered.ok && refusal !== undefined ? rendered.secrets.without(refusal) : refusal;
    const entry = reason === undefined ? entries[scenario] : failed(reason);
    await ctx.complete(async (tx) => {
      const stored = await recordOnTimeline(tx, send, entry);
      if (!rendered.ok) return listSendWithoutMail(tx, stored);
      await storeLinks(tx, ctx.ports.keyring, send, rendered.links);
      const origin = send.test ? 'test' : 'sandbox';
      const inboxEntry = { id: send.id, templateKey: send.template_key, origin } as const;
      await ctx.services.inbox?.store(tx, { send: inboxEntry, mail: rendered.mail });
    });
  },

  async exhausted(ctx, { sendId }, reason) {
    const send = await sendRows.find(ctx.trx, sendId);
    if (send !== undefined && simulated(send))
      await recordOnTimeline(ctx, send, failed(`The simulation was given up: ${reason}`));
  },
});
