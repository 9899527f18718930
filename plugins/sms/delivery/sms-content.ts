// The stored text of a message: sealed, and erased some days after its final state.
import type { Keyring } from '../../../core/index.ts';
import type { SmsContentRow } from '../tables.ts';

const contextOf = (smsId: string): string => `sms:${smsId}`;

export const sealText = (keyring: Keyring, smsId: string, text: string, finishedAt: number | null): SmsContentRow => ({
  sms_id: smsId,
  sealed: keyring.seal(Buffer.from(text), contextOf(smsId)),
  finished_at: finishedAt,
});

export const openText = (keyring: Keyring, row: SmsContentRow): string =>
  Buffer.from(keyring.open(row.sealed, contextOf(row.sms_id))).toString('utf8');
