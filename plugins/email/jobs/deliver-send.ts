// Hands an accepted send to its provider. At-least-once: after a crash between the server's 250 response and our record, the message is
// sent again with the same Message-ID. At-most-once templates are not retried once the hand-over began.
import { defineJob, isStorageError, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { isStoppedTry, repeatOnConflict } from '../../../core/unstable.ts';
import { rampReason } from '../decision/decide.ts';
import { takeSlots } from '../decision/marketing-facts.ts';
import { findAgain, findSend, type SendToDeliver } from '../delivery/find-send.ts';
import { keepBack, keepBackForBroadcast } from '../delivery/keep-back.ts';
import { connectMail, type MailConnection } from '../delivery/mail-connection.ts';
import { notifyFault, notifyHandedOver } from '../delivery/mail-results.ts';
import { type MailSecrets, renderSend } from '../delivery/message.ts';
import {
  type BounceDetails,
  isMailError,
  isNotTaken,
  type MailError,
  type MailReceipt,
  type OutgoingMail,
} from '../port/index.ts';
import { saveHandOver, sendRows, startRetention } from '../store.ts';
import type { SendRow, SendStatus } from '../tables.ts';
import { storedBounce, storedReason } from '../timeline/foreign-texts.ts';
import { listSendWithoutMail } from '../timeline/list-send-without-mail.ts';
import { hasPseudonym, recordOnTimeline, type SendTimelineEntry } from '../timeline/record.ts';
import { storeLinks } from '../tracking/store-links.ts';

/** 30 s, 2 m, 10 m, 30 m, 2 h, 6 h, 12 h. */
const retryDelaysMs = [30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000];

/** The maximum wait that a provider may request. */
const longestWaitMs = 43_200_000;

/** The time for which a message waits if its server has stalled and has no free slot. */
const stalledMs = 30_000;

const stalledUntil = ({ ports }: JobContext, { expires_at: end }: SendRow): number =>
  Math.min(ports.now() + stalledMs, end ?? Number.POSITIVE_INFINITY);

const deliverable: ReadonlySet<SendStatus> = new Set(['scheduled', 'sent', 'delivery_delayed']);

const failed = (reason: string): SendTimelineEntry => ({
  type: 'send.failed',
  status: 'failed',
  details: { reason },
  whyNotSent: reason,
  finished: true,
  unlessEnded: true,
});

const fail = (send: SendRow, reason: string) => async (ctx: TransactionContext) => {
  await recordOnTimeline(ctx, send, failed(reason));
};

/** Records that the recipient was refused. A hard bounce suppresses the address. */
async function recordBounce(ctx: JobContext, send: SendRow, bounce: BounceDetails, reason: string): Promise<void> {
  const write = async (tx: TransactionContext): Promise<void> => {
    const details = { bounce, reason };
    const stored = await recordOnTimeline(tx, send, {
      type: 'send.bounced',
      status: 'bounced',
      details,
      whyNotSent: reason,
      finished: true,
      unlessEnded: true,
    });
    notifyHandedOver(tx, stored);
    if (bounce.class !== 'hard') return;
    notifyFault(tx, stored, 'hard_bounce', tx.now);
    // If the recipient was erased in the meantime, the pseudonym is suppressed, without the server's response text.
    const { to_address: email, id: sendId } = stored;
    const note = hasPseudonym(stored) ? null : bounce.diagnostic;
    await ctx.services.suppressions.add(tx, { email, reason: 'hard_bounce', sendId, note });
  };
  // Another message to the same address may bounce at the same moment and insert the suppression first.
  await repeatOnConflict(() => ctx.complete(write), ctx.signal);
}

const handingTo = ({ name }: MailConnection): string => `handing mail to ${name}`;

/** Whether the provider cannot be reached or refuses service. It then does not accept other messages, either. */
const isOutage = (error: unknown): boolean =>
  isMailError(error) &&
  (error.credentialsRefused || (error.fault === 'transient' && (error.unavailable || error.smtpCode === undefined)));

/** Reports an outage of a mail connection, once for all messages. */
function reportOutage(ctx: JobContext, connection: MailConnection, error: unknown, { without }: MailSecrets): void {
  const activity = handingTo(connection);
  const errorText = without(error instanceof Error ? (error.stack ?? error.message) : String(error));
  if (isMailError(error) && error.credentialsRefused)
    ctx.services.mailOutages.report(
      activity,
      errorText,
      'its login is refused. Correct the credentials: until then, mail waits',
      'error',
    );
  else ctx.services.mailOutages.report(activity, errorText, 'the status of each send shows what happens to it');
}

/** The secrets of a send whose content was not opened. No secret is known, so texts stay as they are. */
const noSecrets: MailSecrets = { without: (text) => text };

type Refusal = Pick<MailError, 'fault' | 'bounce' | 'message' | 'retryAfterMs' | 'credentialsRefused'>;

/**
 * Converts the error to the reason that is stored. The text of an unknown error is only logged: it may quote the message or a
 * secret.
 */
function refusalOf(ctx: JobContext, send: SendRow, error: unknown, { without }: MailSecrets): Refusal {
  if (isMailError(error)) return error;
  if (!isStoppedTry(ctx.signal)) {
    ctx.log.error(
      { send_id: send.id, provider: send.provider, cause: without(String(error)) },
      'a mail adapter threw something other than a MailError',
    );
  }
  const message = 'The mail adapter failed in an unexpected way.';
  return { fault: 'transient', message, bounce: undefined, retryAfterMs: undefined, credentialsRefused: false };
}

/** Decides how a failed hand-over changes the send. */
async function settle(
  ctx: JobContext,
  send: SendRow,
  error: unknown,
  { without }: MailSecrets = noSecrets,
): Promise<void> {
  ctx.markAttemptFailed();
  const refusal = refusalOf(ctx, send, error, { without });
  const reason = storedReason(without(refusal.message));
  const { bounce: refusalBounce } = refusal;
  const bounce =
    refusalBounce === undefined
      ? undefined
      : storedBounce({ ...refusalBounce, diagnostic: without(refusalBounce.diagnostic) });
  if (refusal.fault === 'bounced' && bounce !== undefined) return recordBounce(ctx, send, bounce, reason);
  if (refusal.fault === 'rejected' && !refusal.credentialsRefused) return ctx.complete(fail(send, reason));
  if (send.delivery === 'at-most-once' && !isNotTaken(error) && send.handed_over_at !== null)
    return ctx.complete(
      fail(send, `The outcome of the hand-over is unknown and the template is sent at most once: ${reason}`),
    );
  // If the service stopped the attempt, the job returns to the queue at once, and the attempt does not count.
  if (isStoppedTry(ctx.signal) && send.handed_over_at === null) throw error;
  const planned = retryDelaysMs[ctx.attempt - 1];
  if (planned === undefined) return ctx.giveUp(reason, fail(send, `The last attempt failed: ${reason}`));
  const delay = Math.max(planned, Math.min(refusal.retryAfterMs ?? 0, longestWaitMs));
  const isFirstDelay = send.status !== 'delivery_delayed';
  const at = ctx.ports.now() + delay;
  const record = async (tx: TransactionContext): Promise<void> => {
    const sendToRetry = { ...send, handed_over_at: null };
    if (isFirstDelay) {
      await recordOnTimeline(tx, sendToRetry, {
        type: 'send.delivery_delayed',
        status: 'delivery_delayed',
        details: { reason },
        finished: false,
        unlessEnded: true,
      });
    } else saveHandOver(tx.trx, sendToRetry);
  };
  // A send with an expiry fails at that time, and not at the next try hours later.
  return ctx.retryAt(Math.min(at, send.expires_at ?? at), reason, record, { relative: true });
}

/**
 * Records that the provider accepted the message. Separate from the hand-over, so that the message stays in memory until the
 * commit only if the inbox shows it. `inboxCopy`: the message for the inbox.
 */
function recordSent(
  ctx: JobContext,
  send: SendRow,
  { provider, attached }: { readonly provider: string; readonly attached: boolean },
  inboxCopy: OutgoingMail | undefined,
): Promise<void> {
  const record = async (tx: TransactionContext): Promise<void> => {
    const sent = {
      type: 'send.sent',
      status: 'sent',
      provider,
      finished: true,
      hasAttachments: attached,
      unlessEnded: true,
    } as const;
    const stored = await recordOnTimeline(tx, send, sent);
    notifyHandedOver(tx, stored);
    // If an erasure has removed the recipient in the meantime, the inbox does not keep a copy.
    if (inboxCopy === undefined || hasPseudonym(stored)) return;
    const inboxEntry = { id: send.id, templateKey: send.template_key, origin: 'live' } as const;
    await ctx.services.inbox?.store(tx, { send: inboxEntry, mail: inboxCopy });
  };
  // Hand-overs that end at about the same time share one commit.
  return ctx.complete(record, { shared: true, repeatable: send.delivery === 'at-least-once' });
}

/** Ends the delivery of this send. The retention of its content begins. */
const finish = (ctx: JobContext, sendId: string): Promise<void> =>
  ctx.complete(async ({ trx, now }) => startRetention(trx, sendId, now));

/** Ends the job if the send may not be handed over any more. Returns whether it ended. */
async function isKeptBack(ctx: JobContext, stored: SendToDeliver): Promise<boolean> {
  const current = await findAgain(ctx, stored);
  if (current === undefined || !deliverable.has(current.send.status)) await finish(ctx, stored.send.id);
  else if (current.gate !== 'open') await keepBackForBroadcast(ctx, current.send);
  else if (current.outcome.kind !== 'sent') await keepBack(ctx, current.send, current.outcome);
  else return false;
  return true;
}

/** Renders the message and hands it over. Returns whether the server responded. */
async function handOver(ctx: JobContext, stored: SendToDeliver, connection: MailConnection): Promise<boolean> {
  const { send: storedSend, content } = stored;
  const rendered = await renderSend(ctx, storedSend, content);
  if (!rendered.ok) {
    await ctx.complete(async (tx) => {
      listSendWithoutMail(tx, await recordOnTimeline(tx, storedSend, failed(rendered.reason)));
    });
    return false;
  }
  ctx.ports.phase('mail.rendered', storedSend.id);
  let send: SendRow = { ...storedSend, provider: connection.provider };
  const { links, attached, secrets } = rendered;
  if (links.length > 0) await ctx.checkpoint((tx) => storeLinks(tx, ctx.ports.keyring, storedSend, links));
  // While the send was rendered, or waited for its connection or for a slot at the server, the recipient may have unsubscribed.
  if (await isKeptBack(ctx, stored)) return false;
  if (stored.needsSlot) {
    const mail = { sendId: storedSend.id, fromEmail: storedSend.from_email };
    const until = await ctx.checkpoint((tx) => takeSlots(tx, mail));
    if (until !== undefined) {
      await keepBack(ctx, storedSend, { kind: 'waits', reason: rampReason(until), until });
      return false;
    }
  }
  if (storedSend.delivery === 'at-most-once') {
    send = { ...send, handed_over_at: ctx.ports.now() };
    await ctx.checkpoint(async (tx) => saveHandOver(tx.trx, send));
  }
  let provider: string;
  try {
    const { provider: name } = connection;
    // An adapter in plain JavaScript may return undefined. The provider has still accepted the message.
    const receipt: MailReceipt | undefined = await ctx.ports.telemetry.provider(
      { port: 'mail', provider: name, operation: 'send' },
      () => ctx.outside(() => connection.send(rendered.mail)),
    );
    provider = receipt?.provider ?? connection.provider;
    send = { ...send, provider };
    ctx.services.mailOutages.reportRecovery(handingTo(connection));
  } catch (error) {
    if (isOutage(error) && !isStoppedTry(ctx.signal)) reportOutage(ctx, connection, error, secrets);
    await settle(ctx, send, error, secrets);
    return isMailError(error) && error.smtpCode !== undefined;
  }
  ctx.ports.phase('mail.handed_over', storedSend.id);
  await recordSent(ctx, send, { provider, attached }, connection.captures ? rendered.mail : undefined);
  return true;
}

export const deliverSend = defineJob({
  kind: 'email.deliver',
  payload: z.object({ sendId: z.string() }),
  retryDelaysMs,
  timeoutMs: 120_000,
  sharesReads: true,

  async handler(ctx, { sendId }) {
    const stored = await findSend(ctx, sendId, { moment: 'begins' });
    if (stored === undefined) return ctx.complete();
    const { send: foundSend } = stored;
    // A report may have arrived between two attempts.
    if (!deliverable.has(foundSend.status)) return finish(ctx, sendId);
    if (foundSend.delivery === 'at-most-once' && foundSend.handed_over_at !== null) {
      return ctx.complete(
        fail(
          foundSend,
          'Whether the provider took it is unknown: the process that handed it over stopped or lost the job. The template is sent at most once.',
        ),
      );
    }
    if (stored.gate !== 'open') return keepBackForBroadcast(ctx, foundSend);
    if (stored.outcome.kind !== 'sent') return keepBack(ctx, foundSend, stored.outcome);
    let connection: MailConnection;
    try {
      connection = await connectMail(ctx, foundSend);
    } catch (error) {
      // A database error prevented the choice of a connection: the job is retried, and no adapter was called.
      if (isStorageError(error)) throw error;
      return settle(ctx, foundSend, error);
    }
    const releaseSlot = await ctx.outside(() => connection.takeSlot());
    if (releaseSlot === undefined)
      return ctx.retryAt(stalledUntil(ctx, foundSend), 'The server of the connector has stalled.', undefined, {
        untried: true,
        relative: true,
      });
    let serverResponded = false;
    try {
      serverResponded = await handOver(ctx, stored, connection);
    } finally {
      releaseSlot(serverResponded);
    }
  },

  afterExhausted:
    'The send has failed, and the event send.failed was emitted. To send it after all, send it again with another Idempotency-Key.',

  async exhausted(ctx, { sendId }, reason) {
    const send = await sendRows.find(ctx.trx, sendId);
    if (send === undefined) return;
    if (deliverable.has(send.status)) await fail(send, `Delivery was given up: ${reason}`)(ctx);
    else startRetention(ctx.trx, sendId, ctx.now);
  },
});
