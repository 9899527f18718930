// The suppression list of numbers. STOP adds a number, START removes it. Runs in the transaction of the report that contains the reply.
import type { TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { addConsent, isWithdrawn } from './consents.ts';
import { findSuppressed, removeSuppression } from './store.ts';
import { type SmsRow, smsRows, suppressionRows } from './tables.ts';
import { recordOnTimeline } from './timeline.ts';

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
async function withdraw(effects: TransactionContext, number: string, source: string): Promise<void> {
  const withdrawal = { to: number, source, wording: '', class: null, grantedAt: null, revokedAt: effects.now };
  const { id } = await addConsent(effects, withdrawal);
  effects.audit('sms.opt_out', { kind: 'consent', id });
}

/**
 * Opts a recipient out: withdraws the number's consents, suppresses it, and emits `sms.opted_out` once. Every STOP withdraws the
 * consents, because the number may have given a new one while it was suppressed.
 */
export async function optOut(effects: TransactionContext, number: string, keyword: string): Promise<void> {
  const latest = await latestSms(effects.trx, number);
  await withdraw(effects, number, `Answer by SMS: ${keyword}`.slice(0, 200));
  if (!(await suppress(effects, number, { reason: 'stop', smsId: latest?.id ?? null }))) return;
  if (latest !== undefined) await recordOnTimeline(effects, latest, { type: 'sms.opted_out', finished: false });
}

/** Opts a recipient in again. Messages that need a consent still need a new one. */
export async function optIn(effects: TransactionContext, number: string): Promise<void> {
  if (!(await removeSuppression(effects.trx, number))) return;
  const latest = await latestSms(effects.trx, number);
  effects.audit('sms.opt_in', { kind: 'sms', id: latest?.id ?? 'none' });
}

/** Records that the number replied STOP to the provider. The provider may report it for every message, so the ledger has it once. */
export async function suppressForProvider(effects: TransactionContext, sms: SmsRow): Promise<void> {
  const { to_number: number } = sms;
  if (!(await isWithdrawn(effects.trx, number))) await withdraw(effects, number, `Answer to ${sms.provider}: STOP`);
  if (!(await suppress(effects, number, { reason: 'provider', smsId: sms.id }))) return;
  await recordOnTimeline(effects, sms, { type: 'sms.opted_out', finished: false });
}
