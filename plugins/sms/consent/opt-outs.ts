// The suppression list of numbers. The reply STOP adds a number, START removes it. Runs in the transaction that records the reply.
import type { TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import { findSuppressed, removeSuppression } from '../store.ts';
import { type SmsRow, smsRows, suppressionRows } from '../tables.ts';
import { recordOnTimeline } from '../timeline/record.ts';
import { addConsent, isWithdrawn } from './consents.ts';

/** The newest message to a number. */
async function latestSms(handle: WorkspaceHandle, number: string): Promise<SmsRow | undefined> {
  const [row] = await smsRows.page(handle, { where: { to_number: number }, limit: 1 });
  return row;
}

/** Suppresses a number. Two replies at the same moment may both try to add it. */
async function suppress(
  { trx, now }: TransactionContext,
  number: string,
  { reason, smsId }: { readonly reason: 'stop' | 'provider'; readonly smsId: string | null },
): Promise<boolean> {
  if ((await findSuppressed(trx, number)) !== undefined) return false;
  return suppressionRows.insertUnlessTaken(trx, { to_number: number, reason, sms_id: smsId, created_at: now });
}

/** Withdraws every consent that the number gave. */
async function withdraw(ctx: TransactionContext, number: string, source: string): Promise<void> {
  const withdrawal = { to: number, source, wording: '', class: null, grantedAt: null, revokedAt: ctx.now };
  const { id } = await addConsent(ctx, withdrawal);
  ctx.audit('sms.opt_out', { kind: 'consent', id });
}

/**
 * Opts a recipient out: withdraws the number's consents, suppresses it, and emits `sms.opted_out` once. Every STOP withdraws the
 * consents, because the number may have given a new consent while it was suppressed.
 */
export async function optOut(ctx: TransactionContext, number: string, keyword: string): Promise<void> {
  const latest = await latestSms(ctx.trx, number);
  await withdraw(ctx, number, `Answer by SMS: ${keyword}`.slice(0, 200));
  if (!(await suppress(ctx, number, { reason: 'stop', smsId: latest?.id ?? null }))) return;
  if (latest !== undefined) await recordOnTimeline(ctx, latest, { type: 'sms.opted_out', finished: false });
}

/** Opts a recipient in again. Messages that need a consent still need a new one. */
export async function optIn(ctx: TransactionContext, number: string): Promise<void> {
  if (!(await removeSuppression(ctx.trx, number))) return;
  const latest = await latestSms(ctx.trx, number);
  ctx.audit('sms.opt_in', { kind: 'sms', id: latest?.id ?? 'none' });
}

/** Records that the number replied STOP to the provider. The provider may report it for every message, so the ledger has it once. */
export async function suppressForProvider(ctx: TransactionContext, sms: SmsRow): Promise<void> {
  const { to_number: number } = sms;
  if (!(await isWithdrawn(ctx.trx, number))) await withdraw(ctx, number, `Answer to ${sms.provider}: STOP`);
  if (!(await suppress(ctx, number, { reason: 'provider', smsId: sms.id }))) return;
  await recordOnTimeline(ctx, sms, { type: 'sms.opted_out', finished: false });
}
