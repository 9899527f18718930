// The rule of both rate limits: a key's token bucket, its workspace's sliding window, and the decision about a request.
// Arithmetic only. The memory and SQL stores call it for every decision. The Redis store must count inside Redis, so its
// script repeats the counting; its decisions are made here.
import type { LimitDecision, RateLimits } from '../ports/limits.ts';

/** The units of one token. With whole milliseconds and rates of up to 3 decimals, every sum is a whole number and so exact. */
export const unitsPerToken = 1_000_000;

/** The number of slots in a window, one more than a minute has seconds: both the current second and the second 60 s ago count. */
export const windowSlots = 61;

/**
 * Calls arrive slightly out of order, so a stored state may be ahead of the clock by this much. If it is further ahead, it
 * was stored before the clock was set back, and is ignored.
 */
export const disorderMs = 60_000;

/** The longest time for which a bucket is kept: one year. If it is not full again by then, it is deleted. */
export const maxBucketMs = 31_536_000_000;

/** The wait that is reported if no wait is long enough, because a limit is below 1. */
const neverMs = 60_000;

/**
 * The limits in the units of the rule. `full`, `rate` and `cost` are whole numbers; `perMinute` is compared as configured.
 */
export interface LimitTerms {
  readonly keyLimited: boolean;
  readonly workspaceLimited: boolean;
  /** The level of a full bucket. */
  readonly full: number;
  /** The units that are added to the bucket per millisecond. */
  readonly rate: number;
  readonly burst: number;
  /** The units that the request takes from the bucket. Negative if it gives some back. */
  readonly cost: number;
  readonly perMinute: number;
}

/** The state of a key's bucket at the time of its latest grant. */
export interface Bucket {
  readonly level: number;
  readonly at: number;
  /** When the bucket is full again and need no longer be kept. */
  readonly expiresAt: number;
}

/** The grants of a workspace at the time of its latest grant. */
export interface Window {
  /** Grants per second, a ring buffer; `used` is its sum. */
  readonly counts: Uint32Array;
  used: number;
  at: number;
}

/** The state of both limits before a request. */
export interface LimitStatus {
  readonly now: number;
  /** The time at which the request counts: `now`, or the time of the latest grant if that is later. */
  readonly time: number;
  readonly level: number;
  readonly bucket: Pick<Bucket, 'level' | 'at'> | undefined;
  readonly used: number;
  readonly windowAt: number | undefined;
  /** For a full window: when enough of the oldest grants have left it to allow one more request. */
  readonly opensAt: number;
}

const never = Number.POSITIVE_INFINITY;
const inUnits = (value: number, unit: number): number => Math.min(Math.round(value * unit), Number.MAX_SAFE_INTEGER);

/** The limits in the units of the rule. */
export function termsOf({ keyRate, keyBurst, keyTokens = 1, workspacePerMinute }: RateLimits): LimitTerms {
  return {
    keyLimited: keyRate < never && keyBurst < never,
    workspaceLimited: workspacePerMinute < never,
    full: inUnits(keyBurst, unitsPerToken),
    rate: inUnits(keyRate, 1_000),
    burst: keyBurst,
    cost: inUnits(keyTokens, unitsPerToken),
    perMinute: workspacePerMinute,
  };
}

const slotOf = (second: number): number => ((second % windowSlots) + windowSlots) % windowSlots;
const secondOf = (time: number): number => Math.floor(time / 1_000);

/** When a window whose latest grant was at `at` is empty again. */
export const windowExpiresAt = (at: number): number => (secondOf(at) + windowSlots) * 1_000;

const isLive = (at: number, expiresAt: number, now: number): boolean => expiresAt > now && at - now <= disorderMs;

function usedAt(window: Window, second: number): number {
  const latest = secondOf(window.at);
  if (second - latest >= windowSlots) return 0;
  let used = window.used;
  for (let current = latest + 1; current <= second; current += 1) used -= window.counts[slotOf(current)] ?? 0;
  return used;
}

function openingOf(window: Window, used: number, perMinute: number, second: number): number {
  let excess = used + 1 - perMinute;
  for (let current = second - windowSlots + 1; current <= secondOf(window.at); current += 1) {
    excess -= window.counts[slotOf(current)] ?? 0;
    if (excess <= 0) return (current + windowSlots) * 1_000;
  }
  return never;
}

const keyIsExceeded = (terms: LimitTerms, level: number): boolean => terms.keyLimited && level < terms.cost;
const workspaceIsExceeded = (terms: LimitTerms, used: number): boolean =>
  terms.workspaceLimited && used + 1 > terms.perMinute;

/**
 * The state of both limits for a request at `now` (whole milliseconds), from the stored states of its key and its
 * workspace.
 */
export function limitStatusOf(
  terms: LimitTerms,
  storedBucket: Bucket | undefined,
  storedWindow: Window | undefined,
  now: number,
): LimitStatus {
  const bucket =
    terms.keyLimited && storedBucket !== undefined && isLive(storedBucket.at, storedBucket.expiresAt, now)
      ? storedBucket
      : undefined;
  const window =
    terms.workspaceLimited &&
    storedWindow !== undefined &&
    isLive(storedWindow.at, windowExpiresAt(storedWindow.at), now)
      ? storedWindow
      : undefined;
  const time = Math.max(now, bucket?.at ?? now, window?.at ?? now);
  const second = secondOf(time);
  const used = window === undefined ? 0 : usedAt(window, second);
  const isFull = window !== undefined && workspaceIsExceeded(terms, used);
  return {
    now,
    time,
    level: bucket === undefined ? terms.full : Math.min(terms.full, bucket.level + (time - bucket.at) * terms.rate),
    bucket,
    used,
    windowAt: window?.at,
    opensAt: isFull ? openingOf(window, used, terms.perMinute, second) : never,
  };
}

/** `time`, or a minute from now if `time` is infinite. */
const finiteTime = (time: number, now: number): number => (Number.isFinite(time) ? time : now + neverMs);

/** When a bucket that has `level` at the time `at` reaches `targetLevel`. All values are whole numbers, so the result is exact. */
const filledAt = (terms: LimitTerms, level: number, at: number, targetLevel: number): number =>
  targetLevel > terms.full ? never : at + Math.ceil((targetLevel - level) / terms.rate);

function refusal(terms: LimitTerms, status: LimitStatus): LimitDecision {
  const { now, time, used, opensAt, windowAt } = status;
  const { level, at } = status.bucket ?? { level: terms.full, at: time };
  const keyExceeded = keyIsExceeded(terms, status.level);
  const keyPassesAt = keyExceeded ? finiteTime(filledAt(terms, level, at, terms.cost), time) : time;
  const workspacePassesAt = workspaceIsExceeded(terms, used) ? finiteTime(opensAt, time) : time;
  const byKey = keyExceeded && keyPassesAt >= workspacePassesAt;
  const fullAt = byKey
    ? filledAt(terms, level, at, terms.full)
    : windowAt === undefined
      ? never
      : windowExpiresAt(windowAt);
  return {
    allowed: false,
    scope: byKey ? 'key' : 'workspace',
    limit: byKey ? terms.burst : terms.perMinute,
    remaining: 0,
    resetAt: finiteTime(fullAt > time ? fullAt : never, time),
    retryAfterSeconds: Math.max(1, (byKey ? keyPassesAt : workspacePassesAt) - now) / 1_000,
  };
}

/** The level after a grant. */
const levelAfterGrant = ({ full, cost }: LimitTerms, level: number): number => Math.min(full, level - cost);

/** The decision about the request. It depends only on its arguments. */
export function decisionOf(terms: LimitTerms, status: LimitStatus): LimitDecision {
  const { time, used, level } = status;
  if (keyIsExceeded(terms, level) || workspaceIsExceeded(terms, used)) return refusal(terms, status);
  const { keyLimited, workspaceLimited, full, perMinute } = terms;
  const keyLeft = levelAfterGrant(terms, level);
  const workspaceLeft = perMinute - used - 1;
  const byWorkspace = workspaceLimited && (!keyLimited || workspaceLeft / perMinute < keyLeft / full);
  if (byWorkspace) {
    const remaining = Math.floor(workspaceLeft);
    const resetAt = windowExpiresAt(time);
    return { allowed: true, scope: 'workspace', limit: perMinute, remaining, resetAt, retryAfterSeconds: 0 };
  }
  return {
    allowed: true,
    scope: 'key',
    limit: keyLimited ? terms.burst : never,
    remaining: keyLimited ? Math.floor(keyLeft / unitsPerToken) : never,
    resetAt: keyLimited ? filledAt(terms, keyLeft, time, full) : time,
    retryAfterSeconds: 0,
  };
}

/** The key's bucket after a grant. */
export function bucketAfter(terms: LimitTerms, { level, time }: LimitStatus): Bucket {
  const levelLeft = levelAfterGrant(terms, level);
  return {
    level: levelLeft,
    at: time,
    expiresAt: time + Math.min(Math.ceil((terms.full - levelLeft) / terms.rate), maxBucketMs),
  };
}

/** The workspace's window after a grant: the stored one, updated in place, or a new one. */
export function windowAfter(storedWindow: Window | undefined, { time, used, windowAt }: LimitStatus): Window {
  const second = secondOf(time);
  const window = storedWindow ?? { counts: new Uint32Array(windowSlots), used: 0, at: time };
  const passedSeconds = windowAt === undefined ? windowSlots : Math.min(second - secondOf(windowAt), windowSlots);
  for (let current = second - passedSeconds + 1; current <= second; current += 1) window.counts[slotOf(current)] = 0;
  const slot = slotOf(second);
  window.counts[slot] = (window.counts[slot] ?? 0) + 1;
  window.used = used + 1;
  window.at = time;
  return window;
}
