// Durations with calendar parts, times of day and ISO texts, in local time. Pure.
import { localTime, momentOf } from '../../../core/unstable.ts';
import type { DurationParts } from '../definition/time-schemas.ts';

const minuteMs = 60_000;

const daysOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Adds a duration: first months (limited to the end of the month), then days, both by the calendar, then the exact milliseconds. */
export function addDuration(at: number, { sign, months, days, ms }: DurationParts, zone: string): number {
  if (months === 0 && days === 0) return at + sign * ms;
  const local = localTime(zone, at);
  const month = local.year * 12 + local.month - 1 + sign * months;
  const [year, monthOfYear] = [Math.floor(month / 12), (((month % 12) + 12) % 12) + 1];
  const day = Math.min(local.day, daysOfMonth(year, monthOfYear));
  return momentOf(zone, Date.UTC(year, monthOfYear - 1, day + sign * days) + local.ms) + sign * ms;
}

const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The next time that the clock shows `HH:MM` on one of the weekdays, strictly later than `at`. */
export function nextClockTime(
  at: number,
  { time, weekdays }: { readonly time: string; readonly weekdays?: readonly string[] | undefined },
  zone: string,
): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const { year, month, day } = localTime(zone, at);
  // Eight days contain each weekday after now. A ninth is needed for a zone that skips a whole day.
  for (let ahead = 0; ahead <= 9; ahead++) {
    const date = Date.UTC(year, month - 1, day + ahead);
    const weekday = weekdayNames[new Date(date).getUTCDay()];
    if (weekdays !== undefined && weekday !== undefined && !weekdays.includes(weekday)) continue;
    const moment = momentOf(zone, date + (hours * 60 + minutes) * minuteMs);
    if (moment > at) return moment;
  }
  throw new Error('A time of day without a next occurrence.');
}

const isoForm = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** The moment of an ISO 8601 text. Without an offset, the text is local to the zone. Undefined if the text is not ISO 8601. */
export function parseIsoTime(text: string, zone: string): number | undefined {
  const match = isoForm.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  if (part(4) > 23 || part(5) > 59 || part(6) > 59) return undefined;
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1_000);
  const shown = Date.UTC(year, month - 1, day, part(4), part(5), part(6)) + fraction;
  const offset = match[8];
  if (offset === undefined) return momentOf(zone, shown);
  if (offset === 'Z') return shown;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return shown - (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}
