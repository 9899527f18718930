// The hours and days on which mail may be sent, and the next such time at the recipient's location. Called by plugins that wait
// for them. Pure, except for the time zones of Node's ICU.
import { localTime, momentOf } from './local-time.ts';
import { afterQuietHours, type QuietHours } from './quiet-hours.ts';

/** The days of a week, in the order of ISO 8601. */
export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Weekday = (typeof weekdayNames)[number];

/** When mail may be sent, in the recipient's local time. */
export interface SendingHours {
  /** Null: at every hour. */
  readonly quietHours: QuietHours | null;
  /** The days on which mail is sent. At least one. */
  readonly weekdays: readonly Weekday[];
}

/** The weekday of a date, which is given as its midnight in UTC, in milliseconds. */
export const weekdayOf = (date: number): Weekday => weekdayNames[(new Date(date).getUTCDay() + 6) % 7] ?? 'mon';

/** A week has seven days, and a day may end within its quiet hours. */
const maxDays = 16;

const isEveryDay = ({ weekdays }: SendingHours): boolean => weekdayNames.every((day) => weekdays.includes(day));

/** Whether the hours never delay a mail. */
export const isAlwaysAllowed = (hours: SendingHours): boolean => hours.quietHours === null && isEveryDay(hours);

/**
 * The first moment from `at` on at which mail may be sent: `at` itself if it is outside of the quiet hours, on one of the
 * weekdays. In milliseconds. If a clock change skips the end of the quiet hours, they end with the change. If the end occurs
 * twice, its first occurrence counts.
 */
export function nextSendingTime(hours: SendingHours, zone: string, at: number): number {
  const { quietHours, weekdays } = hours;
  let moment = at;
  for (let day = 0; day < maxDays; day += 1) {
    if (quietHours !== null) moment = afterQuietHours(quietHours, [zone], moment);
    const { year, month, day: date } = localTime(zone, moment);
    if (weekdays.includes(weekdayOf(Date.UTC(year, month - 1, date)))) return moment;
    moment = momentOf(zone, Date.UTC(year, month - 1, date + 1));
  }
  return moment;
}
