// Hands an accepted send to its provider. At-least-once: a crash between the server's 250 and our record sends
// again with the same Message-ID; at-most-once templates are not tried again once the hand-over began.
import type { Effects, JobContext } from '../../../core/index.ts';
import { defineJob, isStorageError, z } from '../../../core/index.ts';
import { giveBackBudget } from '../../../core/unstable.ts';
import type { MailConnection } from '../mail-connection.ts';
import { connectMail } from '../mail-connection.ts';
import { renderSend } from '../message.ts';
import type { BounceDetails, MailError } from '../port/index.ts';
import { isMailError, isNotTaken } from '../port/index.ts';
import { saveHandOver, sendRows } from '../store.ts';
import { suppressedSince } from '../suppressed.ts';
import type { SendRow, SendStatus } from '../tables.ts';
import { recordOnTimeline } from '../timeline.ts';
import { keepLinks } from '../tracking/keep-links.ts';

/** 30 s, 2 m, 10 m, 30 m, 2 h, 6 h, 12 h. */
const retryDelaysMs = [30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000];

/** The longest wait that a provider may ask for. */
const longestWaitMs = 43_200_000;

const deliverable: ReadonlySet<SendStatus> = new Set(['scheduled', 'sent', 'delivery_delayed']);

const fail = (send: SendRow, reason: string) => (effects: Effects) =>
  recordOnTimeline(effects, send, {
    type: 'send.failed',
    status: 'failed',
    details: { reason },
    whyNotSent: reason,
    finished: true,
  });

/** Whether the service is stopping. A try that exceeded its time limit is an ordinary failure. */
const stopped = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Error && reason.name === 'JobStopped';

/** The recipient was refused; a hard bounce suppresses the address. */
async function recordBounce(ctx: JobContext, send: SendRow, bounce: BounceDetails, reason: string): Promise<void> {
  const write = async (effects: Effects): Promise<void> => {
    const details = { bounce, reason };
    await recordOnTimeline(effects, send, {
      type: 'send.bounced',
      status: 'bounced',
      details,
      whyNotSent: reason,
      finished: true,
    });
    if (bounce.class !== 'hard') return;
    const { to_address: email, id: sendId } = send;
    await ctx.services.suppressions.add(effects, { email, reason: 'hard_bounce', sendId, note: bounce.diagnostic });
  };
  try {
    await ctx.complete(write);
  } catch (error) {
    // Another message to the same address bounced at the same moment and added the suppression first.
    if (!isStorageError(error, 'unique')) throw error;
    await ctx.complete(write);
  }
}

/** Decides what a failed hand-over does to the send. */
async function settle(ctx: JobContext, send: SendRow, error: unknown): Promise<void> {
  const refusal: Pick<MailError, 'fault' | 'bounce' | 'message' | 'retryAfterMs'> = isMailError(error)
    ? error
    : {
        fault: 'transient',
        message: error instanceof Error ? error.message : String(error),
        bounce: undefined,
        retryAfterMs: undefined,
      };
  const reason = refusal.message.slice(0, 500);
  const { bounce } = refusal;
  if (refusal.fault === 'bounced' && bounce !== undefined) return recordBounce(ctx, send, bounce, reason);
  if (refusal.fault === 'rejected') return ctx.complete(fail(send, reason));
  if (send.delivery === 'at-most-once' && !isNotTaken(error) && send.handed_over_at !== null)
    return ctx.complete(
      fail(send, `The outcome of the hand-over is unknown and the template is sent at most once: ${reason}`),
    );
  // The service stopped the try: the job returns to the queue at once, and the try does not count.
  if (stopped(ctx.signal) && send.handed_over_at === null) throw error;
  const planned = retryDelaysMs[ctx.attempt - 1];
  if (planned === undefined) return ctx.complete(fail(send, `The last try failed: ${reason}`));
  const delay = Math.max(planned, Math.min(refusal.retryAfterMs ?? 0, longestWaitMs));
  const first = send.status !== 'delivery_delayed';
  return ctx.retryAt(ctx.ports.now() + delay, reason, async (effects) => {
    const again = { ...send, handed_over_at: null };
    if (first) {
      await recordOnTimeline(effects, again, {
        type: 'send.delivery_delayed',
        status: 'delivery_delayed',
        details: { reason },
        finished: false,
      });
    } else saveHandOver(effects.trx, again);
  });
}

export const deliverSend = defineJob({
  kind: 'email.deliver',
  payload: z.object({ sendId: z.string() }),
  retryDelaysMs,
  timeoutMs: 120_000,

  async handler(ctx, { sendId }) {
    const found = await ctx.read((handle) => sendRows.find(handle, sendId));
    if (found === undefined || !deliverable.has(found.status)) return ctx.complete();
    if (found.delivery === 'at-most-once' && found.handed_over_at !== null) {
      return ctx.complete(
        fail(found, 'The process stopped during the hand-over and the template is sent at most once.'),
      );
    }
    const suppressed = await suppressedSince(ctx, found);
    if (suppressed !== undefined) {
      return ctx.complete(async (effects) => {
        await recordOnTimeline(effects, found, suppressed);
        giveBackBudget(effects, 'sends', found.created_at, 1);
      });
    }
    const rendered = await renderSend(ctx, found);
    if (!rendered.ok) return ctx.complete(fail(found, rendered.reason));
    ctx.ports.phase('mail.rendered', sendId);
    let connection: MailConnection;
    try {
      connection = await connectMail(ctx, found);
    } catch (error) {
      return settle(ctx, found, error);
    }
    let send: SendRow = { ...found, provider: connection.provider };
    const { links } = rendered;
    if (links.length > 0) await ctx.checkpoint((effects) => keepLinks(effects, ctx.ports.keyring, found, links));
    if (found.delivery === 'at-most-once') {
      send = { ...send, handed_over_at: ctx.ports.now() };
      await ctx.checkpoint(async (effects) => saveHandOver(effects.trx, send));
    }
    let provider: string;
    try {
      const receipt = await connection.send(rendered.mail);
      provider = receipt.provider ?? connection.provider;
      send = { ...send, provider };
    } catch (error) {
      return settle(ctx, send, error);
    }
    ctx.ports.phase('mail.handed_over', sendId);
    await ctx.complete(async (effects) => {
      await recordOnTimeline(effects, send, { type: 'send.sent', status: 'sent', provider, finished: true });
      if (!connection.captures) return;
      const kept = { id: send.id, templateKey: send.template_key, origin: 'live' } as const;
      await ctx.services.inbox?.keep(effects, { send: kept, mail: rendered.mail });
    });
  },

  async exhausted(effects, { sendId }, reason) {
    const send = await sendRows.find(effects.trx, sendId);
    if (send !== undefined && deliverable.has(send.status))
      await fail(send, `Delivery was given up: ${reason}`)(effects);
  },
});
