// The suppression list of numbers: STOP puts one on it, START takes it off. In the transaction of the report that says so.
import type { TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { addConsent, isWithdrawn } from './consents.ts';
import { findSuppressed, removeSuppression } from './store.ts';
import { type SmsRow, smsRows, suppressionRows } from './tables.ts';
import { recordOnTimeline } from './timeline.ts';

/** The newest message that a number got. */
async function latestSms(handle: WorkspaceHandle, number: string): Promise<SmsRow | undefined> {
  const [row] = await smsRows.page(handle, { where: { to_number: number }, limit: 1 });
  return row;
}

/** Two answers at one moment may both add it. */
async function suppress(
  { trx, now }: TransactionContext,
  number: string,
  { reason, smsId }: { readonly reason: 'stop' | 'provider'; readonly smsId: string | null },
): Promise<boolean> {
  if ((await findSuppressed(trx, number)) !== undefined) return false;
  return suppressionRows.insertUnlessTaken(trx, { to_number: number, reason, sms_id: smsId, created_at: now });
}

/** Ends every consent that the number gave. */
async function withdraw(effects: TransactionContext, number: string, source: string): Promise<void> {
  const withdrawal = { to: number, source, wording: '', class: null, grantedAt: null, revokedAt: effects.now };
  const { id } = await addConsent(effects, withdrawal);
  effects.audit('sms.opt_out', { kind: 'consent', id });
}

/**
 * The recipient wants no more: the number's consents end, it is suppressed, and `sms.opted_out` is emitted once. Consents end
 * with every STOP: the number may have given a new one while it was suppressed.
 */
export async function optOut(effects: TransactionContext, number: string, keyword: string): Promise<void> {
  const latest = await latestSms(effects.trx, number);
  await withdraw(effects, number, `Answer by SMS: ${keyword}`.slice(0, 200));
  if (!(await suppress(effects, number, { reason: 'stop', smsId: latest?.id ?? null }))) return;
  if (latest !== undefined) await recordOnTimeline(effects, latest, { type: 'sms.opted_out', finished: false });
}

/** The recipient wants messages again. What needs consent still needs a new one. */
export async function optIn(effects: TransactionContext, number: string): Promise<void> {
  if (!(await removeSuppression(effects.trx, number))) return;
  const latest = await latestSms(effects.trx, number);
  effects.audit('sms.opt_in', { kind: 'sms', id: latest?.id ?? 'none' });
}

/** The provider says that the number answered STOP to it. It may say so of every message, so the ledger has it once. */
export async function suppressForProvider(effects: TransactionContext, sms: SmsRow): Promise<void> {
  const { to_number: number } = sms;
  if (!(await isWithdrawn(effects.trx, number))) await withdraw(effects, number, `Answer to ${sms.provider}: STOP`);
  if (!(await suppress(effects, number, { reason: 'provider', smsId: sms.id }))) return;
  await recordOnTimeline(effects, sms, { type: 'sms.opted_out', finished: false });
}
