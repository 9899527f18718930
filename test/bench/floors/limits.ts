/*
 * The two rate limits of the floors, in memory: a token bucket per key, then a sliding window per workspace (two counters,
 * the older one weighted). A refused request consumes from neither. The limits come from the workspace's row.
 */

/** The state of a request's limits. The scope is the limit with the smaller remaining share. */
export interface FloorLimitState {
  granted: boolean;
  scope: 'key' | 'workspace';
  limit: number;
  remaining: number;
  /** Milliseconds since 1970 at which the limit is completely available again. */
  resetAt: number;
  /** Seconds until the next attempt can pass; 0 if granted. */
  retryAfter: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

interface Window {
  start: number;
  count: number;
  previous: number;
}

const minute = 60_000;
const buckets = new Map<string, Bucket>();
const windows = new Map<string, Window>();

/** Checks and consumes both limits. `rate` is tokens per second, `burst` the bucket's size, `perMinute` the window's. */
export function takeLimits(
  keyId: string,
  workspaceId: string,
  rate: number,
  burst: number,
  perMinute: number,
  now: number,
): FloorLimitState {
  let bucket = buckets.get(keyId);
  if (bucket === undefined) {
    bucket = { tokens: burst, filledAt: now };
    buckets.set(keyId, bucket);
  }
  const tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) * rate) / 1000);
  if (tokens < 1) return refusal('key', burst, now, (1 - tokens) / rate);

  const start = now - (now % minute);
  let window = windows.get(workspaceId);
  if (window === undefined) {
    window = { start, count: 0, previous: 0 };
    windows.set(workspaceId, window);
  } else if (window.start !== start) {
    window.previous = window.start === start - minute ? window.count : 0;
    window.count = 0;
    window.start = start;
  }
  const used = window.count + window.previous * (1 - (now - start) / minute);
  if (used + 1 > perMinute) return refusal('workspace', perMinute, now, (start + minute - now) / 1000);

  bucket.tokens = tokens - 1;
  bucket.filledAt = now;
  window.count += 1;
  const windowLeft = perMinute - used - 1;
  if (bucket.tokens / burst <= windowLeft / perMinute) {
    const resetAt = now + ((burst - bucket.tokens) / rate) * 1000;
    return { granted: true, scope: 'key', limit: burst, remaining: Math.floor(bucket.tokens), resetAt, retryAfter: 0 };
  }
  const remaining = Math.floor(windowLeft);
  return { granted: true, scope: 'workspace', limit: perMinute, remaining, resetAt: start + minute, retryAfter: 0 };
}

function refusal(scope: 'key' | 'workspace', limit: number, now: number, seconds: number): FloorLimitState {
  const retryAfter = Math.max(seconds, 0.001);
  return { granted: false, scope, limit, remaining: 0, resetAt: now + retryAfter * 1000, retryAfter };
}
