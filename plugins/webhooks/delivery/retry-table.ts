// The times of attempts: the retry table of Standard Webhooks, and the receiver's Retry-After. Pure.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

import { retryAfterMs } from '../../../core/unstable.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay after each failed attempt except the last, in milliseconds: 8 attempts over 31 h 35 min 5 s. */
export const retryDelaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour] as const;

/** The maximum number of attempts of a delivery. */
export const maxAttempts = retryDelaysMs.length + 1;

/** The maximum random share that is added to a delay, so that deliveries that failed together are not retried together. */
const jitter = 0.05;
/** The maximum time by which a Retry-After can delay an attempt. */
const maxDelayMs = hour;
/** The HTTP statuses of responses whose Retry-After counts. */
const retryAfterStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The data of a failed attempt from which the next time is computed. */
export interface FailedAttempt {
  /** The number of attempts since the delivery began or was last replayed, including this one. */
  readonly tries: number;
  /** The time at which this attempt began, in milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly retryAfter: string | undefined;
  /** A random number from 0 to 1. */
  readonly randomFraction: number;
}

/** The time at which the next attempt is due, or undefined after the last attempt. */
export function nextAttemptTime({
  tries,
  startedAt,
  endedAt,
  status,
  retryAfter,
  randomFraction,
}: FailedAttempt): number | undefined {
  const wait = retryDelaysMs[tries - 1];
  if (wait === undefined) return undefined;
  const planned = startedAt + Math.round(wait * (1 + jitter * randomFraction));
  const requestedDelayMs =
    status !== null && retryAfterStatuses.has(status) ? retryAfterMs(retryAfter, endedAt) : undefined;
  return requestedDelayMs === undefined
    ? planned
    : Math.max(planned, Math.min(endedAt + requestedDelayMs, planned + maxDelayMs));
}
