// Converts a bucket and a window to rows of the database, and back. Called by sql.ts only.
import type { LimitRow } from '../../core/contract/ports/limits.ts';
import { type Bucket, type Window, windowExpiresAt, windowSlots } from '../kit/limit-rule.ts';

export function bucketOf(row: LimitRow | undefined): Bucket | undefined {
  return row === undefined ? undefined : { level: row.amount, at: row.countedAt, expiresAt: row.expiresAt };
}

export function bucketRow(workspaceId: string, keyId: string, { level, at, expiresAt }: Bucket): LimitRow {
  return { workspaceId, keyId, amount: level, countedAt: at, expiresAt, counts: null };
}

/** The window of a row. The row stores the non-empty slots of the ring buffer as `slot:count`, separated by spaces. */
export function windowOf(row: LimitRow | undefined): Window | undefined {
  if (row === undefined) return undefined;
  const counts = new Uint32Array(windowSlots);
  for (const entry of (row.counts ?? '').split(' ')) {
    const [slot, count] = entry.split(':');
    if (count !== undefined) counts[Number(slot)] = Number(count);
  }
  return { counts, used: row.amount, at: row.countedAt };
}

export function windowRow(workspaceId: string, keyId: string, { counts, used, at }: Window): LimitRow {
  const entries: string[] = [];
  for (const [slot, count] of counts.entries()) if (count > 0) entries.push(`${slot}:${count}`);
  return { workspaceId, keyId, amount: used, countedAt: at, expiresAt: windowExpiresAt(at), counts: entries.join(' ') };
}
