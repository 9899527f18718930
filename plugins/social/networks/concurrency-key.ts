// The concurrency keys of background jobs that call networks: refreshes and metrics. Each job kind has a fixed number of keys,
// and one job per key runs at a time. Publications and sends therefore wait for at most one job per key, however many workspaces
// there are. A workspace always uses the same key, so its slow networks delay only the other workspaces with that key.
import { hash } from 'node:crypto';

const keysPerKind = 8;

/** The concurrency key of a job of this kind for a workspace. */
export const concurrencyKeyOf = (kind: string, workspaceId: string): string =>
  `${kind}.${Number.parseInt(hash('sha256', workspaceId).slice(0, 8), 16) % keysPerKind}`;
