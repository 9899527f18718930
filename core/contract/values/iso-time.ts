// ISO 8601 times in texts, and the time zone that a value names. Pure. Filters and delays read times with it.
import { daysOfMonth, midnightOf, momentOf, offsetMsOf } from './local-time.ts';
import { isTimeZone } from './quiet-hours.ts';

const minuteMs = 60_000;
/** PostgreSQL writes whole hours of an offset alone: `+02`. */
const isoPattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** A time as its text shows it. */
export interface IsoTime {
  /** The date and time in milliseconds, as if they were UTC. */
  readonly wallClock: number;
  /** The milliseconds by which the text's offset is ahead of UTC; undefined if the text has no offset. */
  readonly offsetMs: number | undefined;
}

/** Reads an ISO 8601 text. Undefined if the text is not ISO 8601. */
export function readIsoTime(text: string): IsoTime | undefined {
  const match = isoPattern.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  const [hour, minute, second] = [part(4), part(5), part(6)];
  // RFC 3339 writes a leap second as :60. It counts as the second after it.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1_000);
  const wallClock = midnightOf(year, month, day) + (hour * 60 + minute) * minuteMs + second * 1_000 + fraction;
  const offset = match[8];
  if (offset === undefined) return { wallClock, offsetMs: undefined };
  if (offset === 'Z') return { wallClock, offsetMs: 0 };
  const [hours, minutes] = [Number(offset.slice(1, 3)), offset.length > 3 ? Number(offset.slice(-2)) : 0];
  if (hours > 23 || minutes > 59) return undefined;
  return { wallClock, offsetMs: (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * minuteMs };
}

/** The moment of an ISO 8601 text. Without an offset, the text is local to the zone. Undefined if the text is not ISO 8601. */
export function parseIsoTime(text: string, zone: string): number | undefined {
  const parsed = readIsoTime(text);
  if (parsed === undefined) return undefined;
  return parsed.offsetMs === undefined ? momentOf(zone, parsed.wallClock) : parsed.wallClock - parsed.offsetMs;
}

/** Whether a value names a time zone or an offset such as `+02:00`. */
export const namesZone = (value: unknown): value is string =>
  typeof value === 'string' && (offsetMsOf(value) !== undefined || isTimeZone(value));
