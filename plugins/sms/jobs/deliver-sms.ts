// Hands an accepted message to its provider. It tries again only if the provider certainly did not accept the message. After the
// hand-over of a message of class authentication has begun, it does not try again, even after a crash.
import { defineJob, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { giveBackBudget, isStoppedTry, oneLine } from '../../../core/unstable.ts';
import { withdrawalReason } from '../consent/check-withdrawal.ts';
import { suppressForProvider } from '../consent/opt-outs.ts';
import { connectSms, type SmsConnection } from '../delivery/sms-connection.ts';
import { openText } from '../delivery/sms-content.ts';
import { isSmsError, type OutgoingSms, type SmsReceipt } from '../port/index.ts';
import { countryOf } from '../rules/phone-numbers.ts';
import type { SmsTimelineDetails } from '../schema.ts';
import { delayedUntil, loadSettings } from '../settings.ts';
import { saveState, startRetention } from '../store.ts';
import { contentRows, type SmsRow, type SmsStatus, smsRows } from '../tables.ts';
import { failed, recordOnTimeline, recordSent, suppressed } from '../timeline/record.ts';

/** The delays between attempts: 30 s, 2 min, 10 min, 30 min, 2 h, 6 h. */
const retryDelaysMs = [30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000];
/** The shorter delays for codes, because a late code is useless: 10 s, 30 s, 60 s. */
const authenticationDelaysMs = [10_000, 30_000, 60_000];
/** The maximum delay of an attempt that a provider may request, in milliseconds. */
const longestWaitMs = 21_600_000;
/** The time for which a provider may keep trying to deliver a code, in seconds. */
const codeValiditySeconds = 600;
const expiredReason = 'The code was no longer valid';

const deliverableStatuses: ReadonlySet<SmsStatus> = new Set(['scheduled', 'queued']);

/**
 * Refunds the budget of a message that was not accepted. Call it before the final status is stored: the stored status shows whether an
 * erasure has already refunded the budget.
 */
async function refundBudget(ctx: TransactionContext, { id }: SmsRow): Promise<void> {
  const stored = await smsRows.lock(ctx.trx, id);
  if (stored !== undefined && deliverableStatuses.has(stored.status))
    giveBackBudget(ctx, 'sms', stored.created_at, stored.segments);
}

const saveHandOver = (sms: SmsRow) => async (ctx: TransactionContext) => {
  const stored = await smsRows.lock(ctx.trx, sms.id);
  const { handed_over_at, sender } = sms;
  if (stored !== undefined) saveState(ctx.trx, { ...stored, handed_over_at, sender }, undefined);
};

/** Ends a message that the provider certainly did not accept. */
const fail =
  (sms: SmsRow, reason: string, details: SmsTimelineDetails = {}) =>
  async (ctx: TransactionContext) => {
    await refundBudget(ctx, sms);
    await recordOnTimeline(ctx, sms, failed(reason, details));
  };

/** Whether a code has expired. */
const isExpired = (sms: SmsRow, at: number): boolean =>
  sms.class === 'authentication' && at >= sms.created_at + codeValiditySeconds * 1_000;

/** The end of the quiet hours if a reminder must wait now, otherwise null. Checked before each attempt, because they may have begun. */
async function quietUntil(ctx: JobContext, sms: SmsRow, timeZone: string | undefined): Promise<number | null> {
  if (sms.class !== 'reminder') return null;
  const settings = await ctx.read(({ trx }) => loadSettings(trx));
  const recipient = { class: sms.class, country: countryOf(sms.to_number), timeZone };
  return delayedUntil(ctx.services.smsRules, settings, recipient, ctx.ports.now());
}

const handOverLabel = ({ name }: SmsConnection): string => `handing SMS to ${name}`;

/** Whether the provider could not be reached at all, so that other messages fail, too. */
const isUnreachable = (error: unknown): boolean =>
  isSmsError(error) && error.fault === 'busy' && error.code === undefined;

/** Decides how a failed hand-over changes the message. */
async function settleFailure(ctx: JobContext, sms: SmsRow, error: unknown): Promise<void> {
  ctx.markAttemptFailed();
  const smsError = isSmsError(error) ? error : undefined;
  const reason = oneLine(error instanceof Error ? error.message : String(error), 500);
  const details = {
    ...(smsError === undefined ? {} : { cause: smsError.reason }),
    ...(smsError?.code === undefined ? {} : { providerCode: smsError.code }),
  };
  // Before the hand-over, the provider cannot have accepted the message, so the kind of the error does not matter.
  const fault = smsError?.fault ?? (sms.handed_over_at === null ? 'busy' : 'unknown');
  if (fault === 'unknown')
    return ctx.complete(async (tx) => {
      const sentence = `The outcome of the hand-over is unknown, and it is not repeated: ${reason}`;
      await recordOnTimeline(tx, sms, failed(sentence, details));
    });
  if (fault === 'refused')
    return ctx.complete(async (tx) => {
      await fail(sms, reason, details)(tx);
      if (smsError?.reason === 'opted_out') await suppressForProvider(tx, sms);
    });
  const delays = sms.class === 'authentication' ? authenticationDelaysMs : retryDelaysMs;
  const planned = delays[ctx.attempt - 1];
  // If the service stopped the attempt, the job returns to the queue at once, and the attempt does not count.
  if (isStoppedTry(ctx.signal)) {
    await ctx.checkpoint(saveHandOver({ ...sms, handed_over_at: null }));
    throw error;
  }
  if (planned === undefined) return ctx.giveUp(reason, fail(sms, `The last attempt failed: ${reason}`, details));
  const next = ctx.ports.now() + Math.max(planned, Math.min(smsError?.retryAfterMs ?? 0, longestWaitMs));
  if (isExpired(sms, next))
    return ctx.complete(fail(sms, `${expiredReason} before another attempt: ${reason}`, details));
  return ctx.retryAt(next, reason, saveHandOver({ ...sms, handed_over_at: null }), { relative: true });
}

async function textOf(ctx: JobContext, sms: SmsRow): Promise<string | undefined> {
  const row = await ctx.read(({ trx }) => contentRows.find(trx, sms.id));
  return row === undefined ? undefined : openText(ctx.ports.keyring, row);
}

export const deliverSms = defineJob({
  kind: 'sms.deliver',
  payload: z.object({ smsId: z.string(), timeZone: z.string().optional() }),
  retryDelaysMs,
  timeoutMs: 60_000,
  sharesReads: true,

  async handler(ctx, { smsId, timeZone }) {
    const storedSms = await ctx.read(({ trx }) => smsRows.find(trx, smsId));
    if (storedSms === undefined) return ctx.complete();
    // If a provider's report has already ended the message, only the retention of its text has to begin.
    if (!deliverableStatuses.has(storedSms.status))
      return ctx.complete(async ({ trx, now }) => startRetention(trx, smsId, now));
    if (storedSms.handed_over_at !== null)
      return ctx.complete(async (tx) => {
        const sentence =
          'Whether the provider took it is unknown: the process that handed it over stopped or lost the job. A message of this class is sent at most once.';
        await recordOnTimeline(tx, storedSms, failed(sentence));
      });
    const withdrawn = await withdrawalReason(ctx, storedSms);
    if (withdrawn !== undefined)
      return ctx.complete(async (tx) => {
        await refundBudget(tx, storedSms);
        await recordOnTimeline(tx, storedSms, suppressed(withdrawn));
      });
    if (isExpired(storedSms, ctx.ports.now()))
      return ctx.complete(fail(storedSms, `${expiredReason} before it was handed over.`));
    const until = await quietUntil(ctx, storedSms, timeZone);
    if (until !== null)
      return ctx.retryAt(until, 'It is within quiet hours in the time zone of the recipient.', undefined, {
        untried: true,
      });
    const body = await textOf(ctx, storedSms);
    if (body === undefined) return ctx.complete(fail(storedSms, 'The text of the message was deleted.'));
    let connection: SmsConnection;
    try {
      connection = await connectSms(ctx, storedSms);
    } catch (error) {
      return settleFailure(ctx, storedSms, error);
    }
    let sms: SmsRow = { ...storedSms, sender: connection.sender?.slice(0, 200) ?? null };
    const isAtMostOnce = storedSms.class === 'authentication';
    if (isAtMostOnce) sms = { ...sms, handed_over_at: ctx.ports.now() };
    // Stored before the hand-over, so that a STOP, which names the sender, is found even if the provider's response is lost.
    if (isAtMostOnce || sms.sender !== storedSms.sender) await ctx.checkpoint(saveHandOver(sms));
    const outgoing: OutgoingSms = {
      to: sms.to_number,
      body,
      ...(sms.class === 'authentication' ? { validForSeconds: codeValiditySeconds } : {}),
    };
    let receipt: SmsReceipt;
    try {
      const { provider } = connection;
      receipt = await ctx.ports.telemetry.provider({ port: 'sms', provider, operation: 'send' }, () =>
        ctx.outside(() => connection.send(outgoing)),
      );
      ctx.services.smsOutages.reportRecovery(handOverLabel(connection));
    } catch (error) {
      if (isUnreachable(error) && !isStoppedTry(ctx.signal))
        ctx.services.smsOutages.report(handOverLabel(connection), error, 'each message records its own result');
      return settleFailure(ctx, { ...sms, handed_over_at: sms.handed_over_at ?? ctx.ports.now() }, error);
    }
    ctx.ports.phase('sms.handed_over', smsId);
    await ctx.complete(async (tx) => {
      await recordSent(tx, sms, {
        provider: connection.provider,
        sender: receipt.sender?.slice(0, 200) ?? sms.sender,
        provider_message_id: receipt.providerMessageId?.slice(0, 200) ?? null,
        handed_over_at: sms.handed_over_at,
      });
      if (connection.captures) await ctx.services.inbox?.storeSms(tx, { sms, body, origin: 'live' });
    });
  },

  afterExhausted:
    'The SMS has failed, and an event has reported that. To send it nevertheless, send it again with another Idempotency-Key.',

  async exhausted(ctx, { smsId }, reason) {
    const sms = await smsRows.find(ctx.trx, smsId);
    if (sms === undefined) return;
    if (!deliverableStatuses.has(sms.status)) return startRetention(ctx.trx, smsId, ctx.now);
    // Only messages of class authentication store when their hand-over begins. Any other message may have been accepted, so it gets no refund.
    if (sms.class === 'authentication' && sms.handed_over_at === null) await refundBudget(ctx, sms);
    await recordOnTimeline(ctx, sms, failed(`Delivery was given up: ${reason}`));
  },
});
