// Converts a bucket and a window to rows of the database, and back. Called by sql.ts only.
import type { LimitRow } from '../../core/contract/ports/limits.ts';
import { type Bucket, seconds, type Window, windowUntil } from '../kit/limit-rule.ts';

export function bucketOf(row: LimitRow | undefined): Bucket | undefined {
  return row === undefined ? undefined : { level: row.amount, at: row.countedAt, until: row.wholeAt };
}

export function bucketRow(workspaceId: string, keyId: string, { level, at, until }: Bucket): LimitRow {
  return { workspaceId, keyId, amount: level, countedAt: at, wholeAt: until, grants: null };
}

/** The window of a row. The row stores the non-empty slots of the ring as `slot:grants`, separated by spaces. */
export function windowOf(row: LimitRow | undefined): Window | undefined {
  if (row === undefined) return undefined;
  const grants = new Uint32Array(seconds);
  for (const entry of (row.grants ?? '').split(' ')) {
    const [slot, count] = entry.split(':');
    if (count !== undefined) grants[Number(slot)] = Number(count);
  }
  return { grants, used: row.amount, at: row.countedAt };
}

export function windowRow(workspaceId: string, keyId: string, { grants, used, at }: Window): LimitRow {
  const entries: string[] = [];
  for (const [slot, count] of grants.entries()) if (count > 0) entries.push(`${slot}:${count}`);
  return { workspaceId, keyId, amount: used, countedAt: at, wholeAt: windowUntil(at), grants: entries.join(' ') };
}
