// Hands an accepted send to its provider. At-least-once: after a crash between the server's 250 response and our record, the message is
// sent again with the same Message-ID. At-most-once templates are not retried once the hand-over began.
import { defineJob, isStorageError, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { beginning, giveBackBudget, isStoppedTry } from '../../../core/unstable.ts';
import { findSend } from '../found-send.ts';
import { listMailless } from '../list-mailless.ts';
import { connectMail, type MailConnection } from '../mail-connection.ts';
import { renderSend } from '../message.ts';
import { type BounceDetails, isMailError, isNotTaken, type MailError, type MailReceipt } from '../port/index.ts';
import { saveHandOver, sendRows, startRetention } from '../store.ts';
import { expiredReason, isExpired, suppressedEntry } from '../suppressed.ts';
import type { SendContentRow, SendRow, SendStatus } from '../tables.ts';
import { isErased, recordOnTimeline, type TimelineEntry } from '../timeline.ts';
import { keepLinks } from '../tracking/keep-links.ts';

/** 30 s, 2 m, 10 m, 30 m, 2 h, 6 h, 12 h. */
const retryDelaysMs = [30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000];

/** The maximum wait that a provider may request. */
const longestWaitMs = 43_200_000;

/** How long a message waits if its server has stalled and has no free slot. */
const stalledMs = 30_000;

const stalledUntil = ({ ports }: JobContext, { expires_at: end }: SendRow): number =>
  Math.min(ports.now() + stalledMs, end ?? Number.POSITIVE_INFINITY);

const deliverable: ReadonlySet<SendStatus> = new Set(['scheduled', 'sent', 'delivery_delayed']);

const failed = (reason: string): TimelineEntry => ({
  type: 'send.failed',
  status: 'failed',
  details: { reason },
  whyNotSent: reason,
  finished: true,
  unlessEnded: true,
});

const fail = (send: SendRow, reason: string) => async (effects: TransactionContext) => {
  await recordOnTimeline(effects, send, failed(reason));
};

/** Records that the recipient was refused. A hard bounce suppresses the address. */
async function recordBounce(ctx: JobContext, send: SendRow, bounce: BounceDetails, reason: string): Promise<void> {
  const write = async (effects: TransactionContext): Promise<void> => {
    const details = { bounce, reason };
    const stored = await recordOnTimeline(effects, send, {
      type: 'send.bounced',
      status: 'bounced',
      details,
      whyNotSent: reason,
      finished: true,
      unlessEnded: true,
    });
    if (bounce.class !== 'hard') return;
    // If the recipient was erased in the meantime, the pseudonym is suppressed, without the server's response text.
    const { to_address: email, id: sendId } = stored;
    const note = isErased(stored) ? null : bounce.diagnostic;
    await ctx.services.suppressions.add(effects, { email, reason: 'hard_bounce', sendId, note });
  };
  try {
    await ctx.complete(write);
  } catch (error) {
    // Another message to the same address bounced at the same moment and inserted the suppression first.
    if (!isStorageError(error, 'unique')) throw error;
    await ctx.complete(write);
  }
}

const handingTo = ({ name }: MailConnection): string => `handing mail to ${name}`;

/** Whether the provider cannot be reached or refuses service. It will not accept other messages, either. */
const isOut = (error: unknown): boolean =>
  isMailError(error) &&
  (error.credentialsRefused || (error.fault === 'transient' && (error.unavailable || error.smtpCode === undefined)));

/** Reports an outage of a mail connection, once for all messages. */
function reportOutage(ctx: JobContext, connection: MailConnection, error: unknown): void {
  const what = handingTo(connection);
  if (isMailError(error) && error.credentialsRefused)
    ctx.services.mailOutages.report(
      what,
      error,
      'its login is refused. Mend the credentials: until then mail waits',
      'error',
    );
  else ctx.services.mailOutages.report(what, error, 'each send says what becomes of it');
}

type Refusal = Pick<MailError, 'fault' | 'bounce' | 'message' | 'retryAfterMs' | 'credentialsRefused'>;

/** What the error says about the message. The text of an unknown error is only logged: it may quote the message or a secret. */
function refusalOf(ctx: JobContext, send: SendRow, error: unknown): Refusal {
  if (isMailError(error)) return error;
  if (!isStoppedTry(ctx.signal)) {
    ctx.log.error(
      { send_id: send.id, provider: send.provider, cause: String(error) },
      'a mail adapter threw something other than a MailError',
    );
  }
  const message = 'The mail adapter failed in an unexpected way.';
  return { fault: 'transient', message, bounce: undefined, retryAfterMs: undefined, credentialsRefused: false };
}

/** Ends a send that has expired. */
const expire = (ctx: JobContext, send: SendRow): Promise<void> =>
  ctx.complete(async (effects) => {
    listMailless(effects, await recordOnTimeline(effects, send, failed(expiredReason)));
  });

/** Decides what a failed hand-over does to the send. */
async function settle(ctx: JobContext, send: SendRow, error: unknown): Promise<void> {
  ctx.tryFailed();
  const refusal = refusalOf(ctx, send, error);
  const reason = beginning(refusal.message, 500);
  const { bounce } = refusal;
  if (refusal.fault === 'bounced' && bounce !== undefined) return recordBounce(ctx, send, bounce, reason);
  if (refusal.fault === 'rejected' && !refusal.credentialsRefused) return ctx.complete(fail(send, reason));
  if (send.delivery === 'at-most-once' && !isNotTaken(error) && send.handed_over_at !== null)
    return ctx.complete(
      fail(send, `The outcome of the hand-over is unknown and the template is sent at most once: ${reason}`),
    );
  // If the service stopped the attempt, the job returns to the queue at once, and the attempt does not count.
  if (isStoppedTry(ctx.signal) && send.handed_over_at === null) throw error;
  const planned = retryDelaysMs[ctx.attempt - 1];
  if (planned === undefined) return ctx.giveUp(reason, fail(send, `The last try failed: ${reason}`));
  const delay = Math.max(planned, Math.min(refusal.retryAfterMs ?? 0, longestWaitMs));
  const first = send.status !== 'delivery_delayed';
  const at = ctx.ports.now() + delay;
  const record = async (effects: TransactionContext): Promise<void> => {
    const again = { ...send, handed_over_at: null };
    if (first) {
      await recordOnTimeline(effects, again, {
        type: 'send.delivery_delayed',
        status: 'delivery_delayed',
        details: { reason },
        finished: false,
        unlessEnded: true,
      });
    } else saveHandOver(effects.trx, again);
  };
  // An expiring send fails at its expiry, not hours later.
  return ctx.retryAt(Math.min(at, send.expires_at ?? at), reason, record, { relative: true });
}

/** Renders the message and hands it over. Returns whether the server responded. */
async function handOver(
  ctx: JobContext,
  found: SendRow,
  content: SendContentRow | undefined,
  connection: MailConnection,
): Promise<boolean> {
  const rendered = await renderSend(ctx, found, content);
  if (!rendered.ok) {
    await ctx.complete(async (effects) => {
      listMailless(effects, await recordOnTimeline(effects, found, failed(rendered.reason)));
    });
    return false;
  }
  ctx.ports.phase('mail.rendered', found.id);
  let send: SendRow = { ...found, provider: connection.provider };
  const { links, attached } = rendered;
  // The send may have expired while it was rendered, or while it waited for a slot at the server.
  if (isExpired(found, ctx.ports.now())) {
    await expire(ctx, found);
    return false;
  }
  if (links.length > 0) await ctx.checkpoint((effects) => keepLinks(effects, ctx.ports.keyring, found, links));
  if (found.delivery === 'at-most-once') {
    send = { ...send, handed_over_at: ctx.ports.now() };
    await ctx.checkpoint(async (effects) => saveHandOver(effects.trx, send));
  }
  let provider: string;
  try {
    const { provider: name } = connection;
    // An adapter in plain JavaScript may return undefined. The provider has still accepted the message.
    const receipt: MailReceipt | undefined = await ctx.ports.telemetry.provider(
      { port: 'mail', provider: name, operation: 'send' },
      () => connection.send(rendered.mail),
    );
    provider = receipt?.provider ?? connection.provider;
    send = { ...send, provider };
    ctx.services.mailOutages.over(handingTo(connection));
  } catch (error) {
    if (isOut(error) && !isStoppedTry(ctx.signal)) reportOutage(ctx, connection, error);
    await settle(ctx, send, error);
    return isMailError(error) && error.smtpCode !== undefined;
  }
  ctx.ports.phase('mail.handed_over', found.id);
  const record = async (effects: TransactionContext): Promise<void> => {
    const sent = { type: 'send.sent', status: 'sent', provider, finished: true, attached, unlessEnded: true } as const;
    const stored = await recordOnTimeline(effects, send, sent);
    // If an erasure has removed the recipient in the meantime, the inbox does not keep a copy.
    if (!connection.captures || isErased(stored)) return;
    const kept = { id: send.id, templateKey: send.template_key, origin: 'live' } as const;
    await ctx.services.inbox?.keep(effects, { send: kept, mail: rendered.mail });
  };
  // Hand-overs that end at about the same time share one commit.
  await ctx.complete(record, { shared: true });
  return true;
}

export const deliverSend = defineJob({
  kind: 'email.deliver',
  payload: z.object({ sendId: z.string() }),
  retryDelaysMs,
  timeoutMs: 120_000,

  async handler(ctx, { sendId }) {
    const stored = await findSend(ctx, sendId);
    if (stored === undefined) return ctx.complete();
    const { send: found, content } = stored;
    // A report may have arrived between two attempts. Then nothing is left to do, and the content's retention begins.
    if (!deliverable.has(found.status)) return ctx.complete(async ({ trx, now }) => startRetention(trx, sendId, now));
    if (found.delivery === 'at-most-once' && found.handed_over_at !== null) {
      return ctx.complete(
        fail(
          found,
          'Whether the provider took it is unknown: the process that handed it over stopped or lost the job. The template is sent at most once.',
        ),
      );
    }
    if (stored.suppressed !== undefined) {
      const suppressed = suppressedEntry(stored.suppressed);
      return ctx.complete(async (effects) => {
        listMailless(effects, await recordOnTimeline(effects, found, suppressed));
        giveBackBudget(effects, 'sends', found.created_at, 1);
      });
    }
    if (isExpired(found, ctx.ports.now())) return expire(ctx, found);
    let connection: MailConnection;
    try {
      connection = await connectMail(ctx, found);
    } catch (error) {
      // A database error prevented the choice of a connection: the job is retried, and no adapter was called.
      if (isStorageError(error)) throw error;
      return settle(ctx, found, error);
    }
    const leave = await connection.enter();
    if (leave === undefined)
      return ctx.retryAt(stalledUntil(ctx, found), 'The server of the connector has stalled.', undefined, {
        untried: true,
        relative: true,
      });
    let well = false;
    try {
      well = await handOver(ctx, found, content, connection);
    } finally {
      leave(well);
    }
  },

  afterExhausted:
    'The send is failed, and its program was told so. To send it after all, send it anew with another Idempotency-Key.',

  async exhausted(effects, { sendId }, reason) {
    const send = await sendRows.find(effects.trx, sendId);
    if (send === undefined) return;
    if (deliverable.has(send.status)) await fail(send, `Delivery was given up: ${reason}`)(effects);
    else startRetention(effects.trx, sendId, effects.now);
  },
});
