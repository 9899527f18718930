// The ledger of consents. Rows are added and never changed. A consent is valid until a later row withdraws it.
import { coreErrors, type TransactionContext, type WorkspaceHandle } from '../../../core/index.ts';
import type { SmsClass } from '../kit/kit.ts';
import { listConsents } from '../store.ts';
import { type ConsentRow, consentRows } from '../tables.ts';

/** A new row of the ledger. */
export interface NewConsent {
  readonly to: string;
  readonly source: string;
  readonly wording: string;
  readonly class: SmsClass | null;
  readonly grantedAt: number | null;
  readonly revokedAt: number | null;
}

/** The maximum number of times that a call tries to add its row. A try fails if a concurrent call has taken the same position in the ledger. */
const maxAttempts = 5;

/** @throws state_conflict if other calls keep writing consents of the number */
export async function addConsent({ trx, now, newId }: TransactionContext, input: NewConsent): Promise<ConsentRow> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const rows = await listConsents(trx, input.to);
    const last = rows.reduce((max, { position }) => Math.max(max, Number(position)), 0);
    const row: ConsentRow = {
      id: newId('cns'),
      to_number: input.to,
      position: last + 1 + attempt,
      source: input.source,
      wording: input.wording,
      class: input.class,
      granted_at: input.grantedAt,
      revoked_at: input.revokedAt,
      created_at: now,
    };
    if (await consentRows.insertUnlessTaken(trx, row)) return row;
  }
  throw coreErrors.state_conflict({ reason: 'Other requests are recording consents of this number. Try again.' });
}

/** Whether a consent belongs to this number, covers the class and has not been withdrawn. */
export async function isInForce(handle: WorkspaceHandle, id: string, number: string, kind: SmsClass): Promise<boolean> {
  const consent = await consentRows.find(handle, id);
  if (consent === undefined || consent.granted_at === null || consent.to_number !== number) return false;
  if (consent.class !== null && consent.class !== kind) return false;
  const later = (await listConsents(handle, number)).filter(
    ({ position, revoked_at: revokedAt }) => revokedAt !== null && Number(position) > consent.position,
  );
  return later.every(({ class: withdrawn }) => withdrawn !== null && withdrawn !== kind);
}

/** Whether the latest row of a number withdraws all consents. */
export async function isWithdrawn(handle: WorkspaceHandle, number: string): Promise<boolean> {
  const rows = await listConsents(handle, number);
  const [last] = [...rows].sort((a, b) => Number(b.position) - Number(a.position));
  return last !== undefined && last.revoked_at !== null && last.class === null;
}
