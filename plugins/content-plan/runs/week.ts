// Computes times in the week of a plan, in the time zone of the run. Pure.
import { localTime, momentOf } from '../../../core/unstable.ts';
import type { PlanRunRow } from './tables.ts';

const day = 86_400_000;
/** The minimum time between now and a planned time, in milliseconds. */
const soonMs = 3_600_000;

/** The time itself; if it is less than one hour from now or has passed, one hour from now. */
export const atLeastOneHourAhead = (at: number, now: number): number => Math.max(at, now + soonMs);

type Week = Pick<PlanRunRow, 'week_of' | 'timezone'>;

/** The start of the Monday in UTC; undefined if the text is not the date of a Monday. */
export function mondayOf(weekOf: string): number | undefined {
  const mondayMs = Date.parse(`${weekOf}T00:00:00Z`);
  if (Number.isNaN(mondayMs) || new Date(mondayMs).toISOString().slice(0, 10) !== weekOf) return undefined;
  return new Date(mondayMs).getUTCDay() === 1 ? mondayMs : undefined;
}

const mondayMsOf = ({ week_of: weekOf }: Week): number => mondayOf(weekOf) ?? 0;

/** The time at which clocks of the zone show `HH:MM` on a day of the week: 0 is Monday. */
export function momentIn(week: Week, weekday: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return momentOf(week.timezone, mondayMsOf(week) + weekday * day + (hours * 60 + minutes) * 60_000);
}

/** The start of the week, and its end (exclusive). */
export const spanOfWeek = (week: Week): { readonly from: number; readonly until: number } => ({
  from: momentOf(week.timezone, mondayMsOf(week)),
  until: momentOf(week.timezone, mondayMsOf(week) + 7 * day),
});

/** The first day of the week that has not passed: 0 to 7. */
export function firstOpenDay(week: Week, now: number): number {
  const { year, month, day: date } = localTime(week.timezone, now);
  const days = Math.floor((Date.UTC(year, month - 1, date) - mondayMsOf(week)) / day);
  return Math.max(0, Math.min(7, days));
}
