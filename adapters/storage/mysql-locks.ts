// The names of named locks, the same for every way to a server: two processes must exclude each other. Sends nothing.
import { createHash } from 'node:crypto';

/** A lock's name as it may stand in a text. */
export function lockName(name: string): string {
  return createHash('sha256').update(`postrider:${name}`).digest('hex');
}

/** What GET_LOCK takes for a name of `lockName`. The locks are shared by every database of the server. */
export function lockExpression(lock: string): string {
  return `left(sha2(concat(coalesce(database(), ''), ':${lock}'), 256), 60)`;
}
