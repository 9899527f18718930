// Computes the month or the week that the calendar of the console shows. Days are in UTC, like all times of the API. Pure.

export const dayMs = 86_400_000;

/** The visible part of the calendar: whole weeks from Monday. */
export interface CalendarSpan {
  readonly kind: 'month' | 'week';
  /** The first day of the month or week. The first visible day, `first`, may be earlier. */
  readonly from: number;
  readonly until: number;
  readonly first: number;
  readonly days: number;
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

export const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const midnight = (at: number): number => Math.floor(at / dayMs) * dayMs;

/** The month of a time, such as `May 2026`. */
export const monthName = (at: number): string =>
  new Date(at).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The number of days since Monday. */
const weekday = (at: number): number => (new Date(at).getUTCDay() + 6) % 7;
const monthOf = (at: number, offset = 0): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
};

/** The day in a text, if it is a date from 1970 on; otherwise undefined. */
export function dayIn(text: string | undefined): number | undefined {
  const at = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return at >= 0 ? at : undefined;
}

/** The month or week that contains a time. */
export function spanOf(kind: CalendarSpan['kind'], at: number): CalendarSpan {
  if (kind === 'week') {
    const from = midnight(at) - weekday(midnight(at)) * dayMs;
    const [before, after] = [isoDay(from - 7 * dayMs), isoDay(from + 7 * dayMs)];
    return {
      kind,
      from,
      until: from + 7 * dayMs,
      first: from,
      days: 7,
      title: `Week from ${isoDay(from)}`,
      before,
      after,
    };
  }
  const [from, until] = [monthOf(at), monthOf(at, 1)];
  const first = from - weekday(from) * dayMs;
  const days = Math.ceil((until - first) / dayMs / 7) * 7;
  return {
    kind,
    from,
    until,
    first,
    days,
    title: monthName(from),
    before: isoDay(monthOf(at, -1)),
    after: isoDay(until),
  };
}
