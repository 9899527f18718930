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
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
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
  return { year, month, day, ms: shown.getTime() - Date.UTC(year, month - 1, day) };
}
