// Rate limits in this process's memory: the default store. It is exact within one process, and does not count the
// requests of other processes. It needs no timer: each request removes a few entries whose limits are full again.

import type { LimitDecision, LimitStore, RateLimits } from '../contract/ports/limits.ts';
import {
  type Bucket,
  bucketAfter,
  decisionOf,
  disorderMs,
  limitStatusOf,
  termsOf,
  type Window,
  windowAfter,
  windowExpiresAt,
} from '../contract/values/limit-rule.ts';

/** A store that decides synchronously and reports its size. */
export interface MemoryLimitStore extends LimitStore {
  /** Decides synchronously. */
  take(keyId: string, workspaceId: string, limits: RateLimits, now: number): LimitDecision;
  /** The number of keys and workspaces in memory. Entries whose limits are full again are removed after a while. */
  readonly remembered: number;
}

/** Full entries are kept this much longer, for calls that arrive out of order. */
const lateCallMs = 1_000;

/** After this many takes, a sweep checks twice as many entries, so that it checks entries faster than takes add them. */
const takesPerSweep = 16;

function createSweep<Entry extends { readonly at: number }>(
  entries: Map<string, Entry>,
  untilOf: (entry: Entry) => number,
) {
  let position = entries.entries();
  return (now: number): void => {
    for (let count = 2 * takesPerSweep; count > 0; count -= 1) {
      const step = position.next();
      if (step.done === true) {
        position = entries.entries();
        return;
      }
      const [id, entry] = step.value;
      if (untilOf(entry) + lateCallMs <= now || entry.at - now > disorderMs) entries.delete(id);
    }
  };
}

/**
 * Keeps both limits in memory: a token bucket for each key, and a sliding window for each workspace. The window counts
 * whole seconds, so that 60 s never contain more grants than the limit; a grant may count for up to a second longer
 * than 60 s. A late call counts at the time of the latest grant; if the clock is set back by more than a minute, both
 * limits start over.
 */
export function memoryLimits(): MemoryLimitStore {
  const buckets = new Map<string, Bucket>();
  const windows = new Map<string, Window>();
  const sweepBuckets = createSweep(buckets, (bucket) => bucket.expiresAt);
  const sweepWindows = createSweep(windows, (window) => windowExpiresAt(window.at));
  let latest = Number.NEGATIVE_INFINITY;
  let takes = 0;

  function sweep(now: number): void {
    if (now > latest || latest - now > disorderMs) latest = now;
    takes += 1;
    if (takes % takesPerSweep !== 0) return;
    sweepBuckets(latest);
    sweepWindows(latest);
  }

  function take(keyId: string, workspaceId: string, limits: RateLimits, now: number): LimitDecision {
    const time = Math.round(now);
    sweep(time);
    const terms = termsOf(limits);
    const window = windows.get(workspaceId);
    const status = limitStatusOf(terms, buckets.get(keyId), window, time);
    const decision = decisionOf(terms, status);
    if (decision.allowed) {
      if (terms.keyLimited) buckets.set(keyId, bucketAfter(terms, status));
      if (terms.workspaceLimited) windows.set(workspaceId, windowAfter(window, status));
    }
    return decision;
  }

  return {
    id: 'memory',
    shared: false,
    take,
    get remembered() {
      return buckets.size + windows.size;
    },
    close: async () => {
      buckets.clear();
      windows.clear();
    },
  };
}
