// Converts between moments and the local time of a time zone. Pure, except for the time zones of Node's ICU. If a clock change
// skips a local time, it maps to the moment of the change. If a local time occurs twice, it maps to the first moment.

import { memoised } from './memo.ts';

/** A local date and time. `month` starts at 1. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight, as the local clock shows them. */
  readonly ms: number;
}

const dayMs = 86_400_000;

/**
 * The midnight of a date, in milliseconds as if it were UTC. A day or month outside of its range counts into the next or the
 * previous month or year. `Date.UTC` would read the years 1 to 99 as 1901 to 1999.
 */
export const midnightOf = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day);

export const daysOfMonth = (year: number, month: number): number =>
  new Date(midnightOf(year, month + 1, 0)).getUTCDate();

/**
 * The milliseconds by which an offset such as `+02:00` is ahead of UTC; undefined for any other text. Older engines do not
 * accept an offset as a time zone.
 */
export function offsetMsOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(0\d|1[0-4]):([0-5]\d)$/.exec(zone) ?? [];
  return sign === undefined ? undefined : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/**
 * Making a clock takes a tenth of a millisecond or more. Each spelling of a zone is cached, so the number of clocks is
 * limited.
 */
const clockOf = memoised(
  1_000,
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
);

/** The local date and time at the moment `at`, in milliseconds as if it were UTC. */
function wallClockAt(zone: string, at: number): number {
  if (zone === 'UTC') return at;
  const offset = offsetMsOf(zone);
  if (offset !== undefined) return at + offset;
  const part: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(at)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  const time = ((hour * 60 + minute) * 60 + second) * 1_000;
  return midnightOf(year, month, day) + time + (((at % 1_000) + 1_000) % 1_000);
}

/** The moment at which the local time in a zone is `wallClock`: a date and time in milliseconds, as if it were UTC. */
export function momentOf(zone: string, wallClock: number): number {
  if (zone === 'UTC') return wallClock;
  const offsetBefore = wallClockAt(zone, wallClock - dayMs) - (wallClock - dayMs);
  const offsetAfter = wallClockAt(zone, wallClock + dayMs) - (wallClock + dayMs);
  const candidates = [wallClock - offsetBefore, wallClock - offsetAfter].filter(
    (at) => wallClockAt(zone, at) === wallClock,
  );
  if (candidates.length > 0) return Math.min(...candidates);
  // The local time is skipped. The clock change is the first moment with a later local time.
  let [low, high] = [wallClock - dayMs - offsetBefore, wallClock + dayMs - offsetAfter];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallClockAt(zone, middle) > wallClock) high = middle;
    else low = middle;
  }
  return high;
}

/** The local time in a zone at a moment. */
export function localTime(zone: string, at: number): LocalTime {
  const wallClock = new Date(wallClockAt(zone, at));
  const [year, month, day] = [wallClock.getUTCFullYear(), wallClock.getUTCMonth() + 1, wallClock.getUTCDate()];
  return { year, month, day, ms: wallClock.getTime() - midnightOf(year, month, day) };
}

/** The bounds with which local times are compared with one moment. */
export interface LocalSpan {
  /** The first local time that is not before the moment. */
  readonly from: number;
  /** The last local time that is not after the moment. */
  readonly to: number;
}

/**
 * The bounds for one moment, in milliseconds as if they were UTC. With them, a statement can compare the moment with a local
 * time that it only has as text: `moment >= momentOf(zone, local)` if `local <= to`, and `moment <= momentOf(zone, local)` if
 * `local >= from`. Both bounds are the local time of the moment, except around clock changes.
 */
export function localSpan(zone: string, at: number): LocalSpan {
  const wallClock = wallClockAt(zone, at);
  const first = momentOf(zone, wallClock);
  if (first === at) {
    // The moment of a clock change is also the moment of all local times that the change skips.
    const isChange = zone !== 'UTC' && momentOf(zone, wallClock - 1) === at;
    return { from: isChange ? wallClockAt(zone, at - 1) + 1 : wallClock, to: wallClock };
  }
  // The local time occurred before. The clock was set back between the two moments.
  let [low, high] = [first, at];
  const ahead = wallClockAt(zone, first) - first;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallClockAt(zone, middle) - middle === ahead) low = middle;
    else high = middle;
  }
  const end = wallClockAt(zone, low) + 1;
  return { from: end, to: end - 1 };
}
