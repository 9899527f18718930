// Rate limits kept in this process's memory: the default store, exact for one process and blind to others.
// Needs no timer: what is whole again is forgotten a few entries at a time while requests come in.
import type { LimitDecision, LimitFigures, LimitStore } from '../../core/contract/ports/limits.ts';
import type { Bucket, Window } from '../kit/limit-rule.ts';
import {
  bucketAfter,
  decisionOf,
  disorderMs,
  standingOf,
  termsOf,
  windowAfter,
  windowUntil,
} from '../kit/limit-rule.ts';

/** The store, which needs no waiting and can tell its size. */
export interface MemoryLimitStore extends LimitStore {
  /** Decides at once. */
  take(keyId: string, workspaceId: string, figures: LimitFigures, now: number): LimitDecision;
  /** How many keys and workspaces are remembered now. Those whose limits are whole again are forgotten in time. */
  readonly remembered: number;
}

/** What is whole is kept for so long, for calls that arrive out of order. */
const lateMs = 1_000;

/** So many takes share one sweep, which looks at twice as many entries: the maps cannot outgrow it. */
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
      if (untilOf(entry) + lateMs <= now || entry.at - now > disorderMs) entries.delete(id);
    }
  };
}

/**
 * Keeps both limits in memory: a token bucket a key, and a sliding window a workspace that counts whole seconds, so
 * that no 60 s ever see more grants than the figure; a grant may count for up to a second longer than 60 s.
 * A call that comes late counts as of the latest grant; if the clock is set back by more than a minute, all starts anew.
 */
export function memoryLimits(): MemoryLimitStore {
  const buckets = new Map<string, Bucket>();
  const windows = new Map<string, Window>();
  const sweepBuckets = createSweep(buckets, (bucket) => bucket.until);
  const sweepWindows = createSweep(windows, (window) => windowUntil(window.at));
  let latest = Number.NEGATIVE_INFINITY;
  let takes = 0;

  function sweep(now: number): void {
    if (now > latest || latest - now > disorderMs) latest = now;
    takes += 1;
    if (takes % takesPerSweep !== 0) return;
    sweepBuckets(latest);
    sweepWindows(latest);
  }

  function take(keyId: string, workspaceId: string, figures: LimitFigures, now: number): LimitDecision {
    const time = Math.round(now);
    sweep(time);
    const terms = termsOf(figures);
    const window = windows.get(workspaceId);
    const standing = standingOf(terms, buckets.get(keyId), window, time);
    const decision = decisionOf(terms, standing);
    if (decision.allowed) {
      if (terms.keyLimited) buckets.set(keyId, bucketAfter(terms, standing));
      if (terms.workspaceLimited) windows.set(workspaceId, windowAfter(window, standing));
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
