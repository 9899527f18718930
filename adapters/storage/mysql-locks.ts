// The names of named locks. They are the same for every driver of a server, so that two processes exclude each other. Sends
// nothing.
import { createHash } from 'node:crypto';

/** The name of a lock, safe inside a SQL text. */
export function lockName(name: string): string {
  return createHash('sha256').update(`postrider:${name}`).digest('hex');
}

/** The argument of GET_LOCK for a name of `lockName`. Named locks are shared by all databases of the server. */
export function lockExpression(lock: string): string {
  return `left(sha2(concat(coalesce(database(), ''), ':${lock}'), 256), 60)`;
}
