// Local time: what the clock of a time zone shows, and when it shows it. Pure, but for the time zones of Node's ICU.
// A local time that a clock change skips is the moment of the change; one that occurs twice is the first.

/** A local date and time; `month` from 1. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Since local midnight, as the clock shows it. */
  readonly ms: number;
}

const dayMs = 86_400_000;

/** The milliseconds that an offset such as `+02:00` is ahead of UTC; undefined for any other text. Older engines take none as a zone. */
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

/** What the clock shows, as if it were UTC. */
function shownAt(zone: string, at: number): number {
  if (zone === 'UTC') return at;
  const offset = offsetMsOf(zone);
  if (offset !== undefined) return at + offset;
  const part: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(at)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
}

/** The moment at which the clock of a zone shows `shown`: a date and time as if it were UTC. */
export function momentOf(zone: string, shown: number): number {
  if (zone === 'UTC') return shown;
  const offsetBefore = shownAt(zone, shown - dayMs) - (shown - dayMs);
  const offsetAfter = shownAt(zone, shown + dayMs) - (shown + dayMs);
  const fitting = [shown - offsetBefore, shown - offsetAfter].filter((at) => shownAt(zone, at) === shown);
  if (fitting.length > 0) return Math.min(...fitting);
  // Skipped: the change of the clock is the first moment at which it shows more.
  let [low, high] = [shown - dayMs - offsetBefore, shown + dayMs - offsetAfter];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (shownAt(zone, middle) > shown) high = middle;
    else low = middle;
  }
  return high;
}

/** What the clock of a zone shows at a moment. */
export function localTime(zone: string, at: number): LocalTime {
  const shown = new Date(shownAt(zone, at));
  const [year, month, day] = [shown.getUTCFullYear(), shown.getUTCMonth() + 1, shown.getUTCDate()];
  return { year, month, day, ms: shown.getTime() - Date.UTC(year, month - 1, day) };
}
