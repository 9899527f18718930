// Durations with calendar parts and times of day, in local time. Pure.
import { daysOfMonth, localTime, midnightOf, momentOf, weekdayOf } from '../../../core/unstable.ts';
import type { DurationParts } from '../definition/time-schemas.ts';

const minuteMs = 60_000;

/** Adds a duration: first months (limited to the end of the month), then days, both by the calendar, then the exact milliseconds. */
export function addDuration(at: number, { sign, months, days, ms }: DurationParts, zone: string): number {
  if (months === 0 && days === 0) return at + sign * ms;
  const local = localTime(zone, at);
  const month = local.year * 12 + local.month - 1 + sign * months;
  const [year, monthOfYear] = [Math.floor(month / 12), (((month % 12) + 12) % 12) + 1];
  const day = Math.min(local.day, daysOfMonth(year, monthOfYear));
  return momentOf(zone, midnightOf(year, monthOfYear, day + sign * days) + local.ms) + sign * ms;
}

/** The next time that the clock shows `HH:MM` on one of the weekdays, strictly later than `at`. */
export function nextClockTime(
  at: number,
  { time, weekdays }: { readonly time: string; readonly weekdays?: readonly string[] | undefined },
  zone: string,
): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const { year, month, day } = localTime(zone, at);
  // Eight days contain each weekday after now; the ninth is for a zone that skips a whole day.
  for (let daysAhead = 0; daysAhead <= 9; daysAhead++) {
    const date = midnightOf(year, month, day + daysAhead);
    if (weekdays !== undefined && !weekdays.includes(weekdayOf(date))) continue;
    const moment = momentOf(zone, date + (hours * 60 + minutes) * minuteMs);
    if (moment > at) return moment;
  }
  throw new Error('A time of day without a next occurrence.');
}
