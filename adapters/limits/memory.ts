// Rate limits kept in this process's memory: the default store, exact for one process and blind to others.
// Needs no timer: what is whole again is forgotten a few entries at a time while requests come in.
import type { LimitDecision, LimitFigures, LimitStore } from '../../core/contract/ports/limits.ts';

/** The store, which needs no waiting and can tell its size. */
export interface MemoryLimitStore extends LimitStore {
  /** Decides at once. */
  take(keyId: string, workspaceId: string, figures: LimitFigures, now: number): LimitDecision;
  /** How many keys and workspaces are remembered now. Those whose limits are whole again are forgotten in time. */
  readonly remembered: number;
}

/** A token in the bucket's unit: with whole milliseconds, and rates of up to 3 decimals, every sum is exact. */
const token = 1_000_000;

/** Tokens a second in the bucket's unit a millisecond. */
const inUnits = (keyRate: number): number => Math.round(keyRate * 1_000);

/** One bucket more than a minute has seconds: the second that is running counts, and so does the one 60 s ago. */
const seconds = 61;

/** Calls arrive a little out of order. A clock further back than this was set back. */
const disorderMs = 60_000;

/** What a figure of 0 answers, where no wait is long enough. */
const neverMs = 60_000;

/** So many takes share one sweep, which looks at twice as many entries: the maps cannot outgrow it. */
const takesPerSweep = 16;

interface Bucket {
  readonly id: string;
  /** Millionths of a token at the time `at`. */
  level: number;
  at: number;
  wholeAt: number;
}

interface Window {
  readonly id: string;
  /** Grants by the second, a ring; `used` is its sum. */
  readonly grants: Uint32Array;
  used: number;
  /** The second that the ring has been brought up to. */
  second: number;
  wholeAt: number;
}

const slotOf = (second: number): number => ((second % seconds) + seconds) % seconds;

function advance(window: Window, second: number): void {
  const passed = second - window.second;
  if (passed <= 0) return;
  window.second = second;
  if (window.used === 0) return;
  if (passed >= seconds) {
    window.grants.fill(0);
    window.used = 0;
    return;
  }
  for (let current = second - passed + 1; current <= second; current += 1) {
    const slot = slotOf(current);
    window.used -= window.grants[slot] ?? 0;
    window.grants[slot] = 0;
  }
}

/** When enough of the oldest grants have left the window for one more. */
function opensAt(window: Window | undefined, perMinute: number): number {
  if (window === undefined) return Number.POSITIVE_INFINITY;
  let excess = window.used + 1 - perMinute;
  for (let second = window.second - seconds + 1; second <= window.second; second += 1) {
    excess -= window.grants[slotOf(second)] ?? 0;
    if (excess <= 0) return (second + seconds) * 1_000;
  }
  return Number.POSITIVE_INFINITY;
}

/** When the bucket has a token again, in whole milliseconds. All three figures are whole numbers, so this is exact. */
const fillsAt = (level: number, at: number, rate: number): number => at + Math.ceil((token - level) / rate);

/** `time`, or a minute from now where it never comes. */
const reachable = (time: number, now: number): number => (Number.isFinite(time) ? time : now + neverMs);

function createSweep<Entry extends { readonly id: string; readonly wholeAt: number }>(entries: Map<string, Entry>) {
  let position = entries.values();
  return (now: number): void => {
    for (let count = 2 * takesPerSweep; count > 0; count -= 1) {
      const step = position.next();
      if (step.done === true) {
        position = entries.values();
        return;
      }
      if (step.value.wholeAt <= now) entries.delete(step.value.id);
    }
  };
}

/**
 * Keeps both limits in memory: a token bucket a key, and a sliding window a workspace that counts whole seconds, so
 * that no 60 s ever see more grants than the figure; a grant may count for up to a second longer than 60 s.
 * Times before the latest one seen count as that one; if the clock is set back by more than a minute, all starts anew.
 */
export function memoryLimits(): MemoryLimitStore {
  const buckets = new Map<string, Bucket>();
  const windows = new Map<string, Window>();
  const sweepBuckets = createSweep(buckets);
  const sweepWindows = createSweep(windows);
  let latest = Number.NEGATIVE_INFINITY;
  let takes = 0;

  function settle(now: number): number {
    const time = Math.round(now);
    if (latest - time > disorderMs) {
      buckets.clear();
      windows.clear();
      latest = time;
    } else if (time > latest) latest = time;
    takes += 1;
    if (takes % takesPerSweep === 0) {
      sweepBuckets(latest);
      sweepWindows(latest);
    }
    return latest;
  }

  function grantKey(keyId: string, bucket: Bucket | undefined, level: number, time: number, wholeAt: number): void {
    if (bucket === undefined) {
      buckets.set(keyId, { id: keyId, level, at: time, wholeAt });
      return;
    }
    bucket.level = level;
    bucket.at = time;
    bucket.wholeAt = wholeAt;
  }

  function grantWorkspace(workspaceId: string, known: Window | undefined, second: number, wholeAt: number): void {
    let window = known;
    if (window === undefined) {
      window = { id: workspaceId, grants: new Uint32Array(seconds), used: 0, second, wholeAt };
      windows.set(workspaceId, window);
    }
    const slot = slotOf(second);
    window.grants[slot] = (window.grants[slot] ?? 0) + 1;
    window.used += 1;
    window.wholeAt = wholeAt;
  }

  function take(keyId: string, workspaceId: string, figures: LimitFigures, now: number): LimitDecision {
    const { keyRate, keyBurst, workspacePerMinute } = figures;
    const time = settle(now);
    const second = Math.floor(time / 1_000);
    const keyLimited = keyRate < Number.POSITIVE_INFINITY && keyBurst < Number.POSITIVE_INFINITY;
    const workspaceLimited = workspacePerMinute < Number.POSITIVE_INFINITY;
    const full = Math.round(keyBurst * token);
    const rate = inUnits(keyRate);

    const bucket = keyLimited ? buckets.get(keyId) : undefined;
    const level = bucket === undefined ? full : Math.min(full, bucket.level + (time - bucket.at) * rate);
    const window = workspaceLimited ? windows.get(workspaceId) : undefined;
    if (window !== undefined) advance(window, second);
    const used = window === undefined ? 0 : window.used;

    const keyTripped = keyLimited && level < token;
    const workspaceTripped = workspaceLimited && used + 1 > workspacePerMinute;
    if (keyTripped || workspaceTripped) {
      const from = bucket ?? { level: full, at: time };
      const keyPasses = keyTripped ? reachable(fillsAt(from.level, from.at, rate), time) : time;
      const workspacePasses = workspaceTripped ? reachable(opensAt(window, workspacePerMinute), time) : time;
      const byKey = keyTripped && keyPasses >= workspacePasses;
      return {
        allowed: false,
        scope: byKey ? 'key' : 'workspace',
        limit: byKey ? keyBurst : workspacePerMinute,
        remaining: 0,
        resetAt: reachable((byKey ? bucket : window)?.wholeAt ?? Number.POSITIVE_INFINITY, time),
        retryAfterSeconds: Math.max(1, (byKey ? keyPasses : workspacePasses) - Math.round(now)) / 1_000,
      };
    }

    const keyLeft = level - token;
    const keyWholeAt = keyLimited ? time + Math.ceil((full - keyLeft) / rate) : time;
    const workspaceLeft = workspacePerMinute - used - 1;
    const workspaceWholeAt = (second + seconds) * 1_000;
    if (keyLimited) grantKey(keyId, bucket, keyLeft, time, keyWholeAt);
    if (workspaceLimited) grantWorkspace(workspaceId, window, second, workspaceWholeAt);
    const byWorkspace = workspaceLimited && (!keyLimited || workspaceLeft / workspacePerMinute < keyLeft / full);
    return {
      allowed: true,
      scope: byWorkspace ? 'workspace' : 'key',
      limit: byWorkspace ? workspacePerMinute : keyLimited ? keyBurst : Number.POSITIVE_INFINITY,
      remaining: byWorkspace
        ? Math.floor(workspaceLeft)
        : keyLimited
          ? Math.floor(keyLeft / token)
          : Number.POSITIVE_INFINITY,
      resetAt: byWorkspace ? workspaceWholeAt : keyWholeAt,
      retryAfterSeconds: 0,
    };
  }

  return {
    id: 'memory',
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
