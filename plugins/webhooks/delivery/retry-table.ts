// When a delivery is tried: the table of Standard Webhooks, and what receivers may ask for. Pure.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits after each failed try but the last, in milliseconds: 8 tries over 31 h 35 min 5 s. */
export const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour] as const;

/** How many times a delivery is tried. */
export const maxAttempts = waitsMs.length + 1;

/** So much is added to a wait at most, by chance, so that what failed together does not come back together. */
const jitter = 0.05;
/** A Retry-After moves a try so much at most. */
const maxDelayMs = hour;
/** Answers that mean "not now": their Retry-After is heeded. */
const heeded: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), as a time; undefined where it says nothing useful. */
function retryAfterAt(value: string | undefined, now: number): number | undefined {
  const given = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(given)) return now + Number(given) * second;
  // Date.parse makes something of nearly everything: a date begins with the day of the week here.
  const at = /^[A-Z][a-z]{2,8},? /.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** What a try met. */
export interface Refusal {
  /** Tries of the set so far, this one among them. */
  readonly tries: number;
  /** When this try began, in milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Null where there was no answer. */
  readonly status: number | null;
  readonly retryAfter: string | undefined;
  /** Between 0 and 1. */
  readonly chance: number;
}

/** When the next try is due, or undefined after the last. */
export function nextTryAt({ tries, startedAt, endedAt, status, retryAfter, chance }: Refusal): number | undefined {
  const wait = waitsMs[tries - 1];
  if (wait === undefined) return undefined;
  const planned = startedAt + Math.round(wait * (1 + jitter * chance));
  const asked = status !== null && heeded.has(status) ? retryAfterAt(retryAfter, endedAt) : undefined;
  return asked === undefined ? planned : Math.max(planned, Math.min(asked, planned + maxDelayMs));
}
