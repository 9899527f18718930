// Converts between moments and the local time of a time zone. Pure, except for the time zones of Node's ICU. If a clock change
// skips a local time, it maps to the moment of the change. If a local time occurs twice, it maps to the first moment.

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
 * The midnight of a date, in milliseconds as if it were UTC. A day or month outside of its range continues in the next one or in the
 * one before. `Date.UTC` would read the years 1 to 99 as 1901 to 1999.
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

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(zone, clock);
  }
  return clock;
}

/** The local date and time at the moment `at`, in milliseconds as if it were UTC. */
function shownAt(zone: string, at: number): number {
  if (zone === 'UTC') return at;
  const offset = offsetMsOf(zone);
  if (offset !== undefined) return at + offset;
  const part: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(at)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  const time = ((hour * 60 + minute) * 60 + second) * 1_000;
  return midnightOf(year, month, day) + time + (((at % 1_000) + 1_000) % 1_000);
}

/** The moment at which the local time in a zone is `shown`, a date and time in milliseconds as if it were UTC. */
export function momentOf(zone: string, shown: number): number {
  if (zone === 'UTC') return shown;
  const offsetBefore = shownAt(zone, shown - dayMs) - (shown - dayMs);
  const offsetAfter = shownAt(zone, shown + dayMs) - (shown + dayMs);
  const fitting = [shown - offsetBefore, shown - offsetAfter].filter((at) => shownAt(zone, at) === shown);
  if (fitting.length > 0) return Math.min(...fitting);
  // The local time is skipped. The clock change is the first moment with a later local time.
  let [low, high] = [shown - dayMs - offsetBefore, shown + dayMs - offsetAfter];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (shownAt(zone, middle) > shown) high = middle;
    else low = middle;
  }
  return high;
}

/** The local time in a zone at a moment. */
export function localTime(zone: string, at: number): LocalTime {
  const shown = new Date(shownAt(zone, at));
  const [year, month, day] = [shown.getUTCFullYear(), shown.getUTCMonth() + 1, shown.getUTCDate()];
  return { year, month, day, ms: shown.getTime() - midnightOf(year, month, day) };
}

/** The local times whose moment is compared with a given moment. */
export interface LocalSpan {
  /** The first local time whose moment is not before it. */
  readonly from: number;
  /** The last local time whose moment is not after it. */
  readonly to: number;
}

/**
 * The local times around a moment, in milliseconds as if they were UTC. With them, a moment is compared with a local time of
 * which only the text is known: `moment >= momentOf(zone, local)` if `local <= to`, and `<=` if `local >= from`. Both are the
 * local time itself, except around clock changes.
 */
export function localSpan(zone: string, at: number): LocalSpan {
  const shown = shownAt(zone, at);
  const first = momentOf(zone, shown);
  if (first === at) {
    // The moment of a clock change is also the moment of all local times that the change skips.
    const isChange = zone !== 'UTC' && momentOf(zone, shown - 1) === at;
    return { from: isChange ? shownAt(zone, at - 1) + 1 : shown, to: shown };
  }
  // The local time occurred before. The clock was set back between the two moments.
  let [low, high] = [first, at];
  const ahead = shownAt(zone, first) - first;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (shownAt(zone, middle) - middle === ahead) low = middle;
    else high = middle;
  }
  const end = shownAt(zone, low) + 1;
  return { from: end, to: end - 1 };
}
