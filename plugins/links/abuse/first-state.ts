// Judges destinations without calling an outside service. Pure.
import { mixesScripts } from '../destination.ts';
import type { LinkRow } from '../tables.ts';

/** The columns of a link that abuse checks write. */
export type AbuseColumns = Pick<LinkRow, 'abuse' | 'abuse_by' | 'abuse_reason'>;

export const clean: AbuseColumns = { abuse: 'none', abuse_by: null, abuse_reason: null };

const mixedReason = 'The host mixes scripts, as names that imitate others do.';

/** A host that mixes scripts is held until a check or the program releases it. */
export const firstState = (urls: readonly string[]): AbuseColumns =>
  urls.some(mixesScripts) ? { abuse: 'held', abuse_by: 'check', abuse_reason: mixedReason } : clean;
