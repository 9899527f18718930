// What is known of destinations without asking a service outside. Pure.
import { mixesScripts } from '../destination.ts';
import type { LinkRow } from '../tables.ts';

/** What abuse checks wrote on a link. */
export type AbuseColumns = Pick<LinkRow, 'abuse' | 'abuse_by' | 'abuse_reason'>;

export const clean: AbuseColumns = { abuse: 'none', abuse_by: null, abuse_reason: null };

const mixed = 'The host mixes scripts, as names that imitate others do.';

/** A host that mixes scripts is held until a check or the program lets it go. */
export const firstState = (urls: readonly string[]): AbuseColumns =>
  urls.some(mixesScripts) ? { abuse: 'held', abuse_by: 'check', abuse_reason: mixed } : clean;
