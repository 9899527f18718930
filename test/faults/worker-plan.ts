// The plan that the killing test passes to a worker process, and the worker's journal. Each entry of the journal is one line, written
// synchronously before anything else happens, so that a kill cannot lose it.
import { readFileSync } from 'node:fs';
import type { Phase } from '../../core/contract/ports/platform.ts';
import type { DatabaseLocation } from './mail-service.ts';
import type { InjectedFault } from './planted-faults.ts';

/** One life of the worker. */
export interface WorkerPlan {
  readonly database: DatabaseLocation;
  readonly smtpPort: number;
  readonly apiKey: string;
  /** The path of this life's journal. */
  readonly journal: string;
  /** The Idempotency-Keys to send, by `callers` concurrent callers. */
  readonly keys: readonly string[];
  readonly callers: number;
  readonly leaseMs: number;
  /** The worker kills itself at this occurrence of a phase, counted from 1. */
  readonly killAt?: { readonly phase: Phase; readonly occurrence: number };
  /** Stops cleanly when every job is done, or after this many milliseconds. (Default: runs until it is killed) */
  readonly endWithinMs?: number;
  readonly plant?: InjectedFault;
  /** The prefix of an external queue in Redis. (Default: the database is the queue) */
  readonly queuePrefix?: string;
}

/** An entry of the journal. */
export type JournalEntry =
  | { readonly kind: 'ready' }
  | { readonly kind: 'accepted'; readonly key: string; readonly id: string; readonly replayed: boolean }
  | { readonly kind: 'surprise'; readonly key: string; readonly status: number; readonly body: string }
  | { readonly kind: 'killing'; readonly phase: Phase }
  | { readonly kind: 'drained' };

/** All entries that a life wrote. A line that the kill cut off is dropped. */
export function readJournal(path: string): JournalEntry[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as JournalEntry);
}
