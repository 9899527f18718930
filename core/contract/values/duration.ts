// Parses durations as callers write them (ISO 8601). Pure. The caller does the calendar arithmetic.
import * as z from '../schemas/zod.ts';

/** A parsed duration: calendar parts, then exact milliseconds. */
export interface DurationParts {
  readonly sign: 1 | -1;
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

const form =
  /^(-)?P(?=[\dT])(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/;

/** Parses a duration. Undefined if the text is not a duration. Seconds must be whole. */
export function parseDuration(text: string): DurationParts | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  return {
    sign: match[1] === undefined ? 1 : -1,
    months: part(2) * 12 + part(3),
    days: part(4) * 7 + part(5),
    ms: part(6) * 3_600_000 + part(7) * 60_000 + part(8) * 1_000,
  };
}

const dayMs = 86_400_000;

/**
 * The time this long before `now`, for filters that look back. A day has 24 hours. Months are counted in UTC; if the earlier
 * month is too short for the day, its last day counts. No time zone is used, because a statement over many rows must
 * give the same result as a filter on one row.
 */
export function timeBefore({ months, days, ms }: DurationParts, now: number): number {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (now % dayMs) - days * dayMs - ms;
}

const maxLifeMs = 30 * dayMs;

/** The exact length of a duration without months; undefined for any other text. A day has 24 hours. */
export function exactDurationMs(text: string): number | undefined {
  const parts = parseDuration(text);
  return parts === undefined || parts.months > 0 ? undefined : parts.sign * (parts.days * dayMs + parts.ms);
}

/** The schema of a lifetime: more than 0, at most 30 days, without months. */
export const lifetime = z
  .string()
  .max(40)
  .refine((text) => {
    const ms = exactDurationMs(text);
    return ms !== undefined && ms > 0 && ms <= maxLifeMs;
  }, 'This is not an ISO 8601 duration of 1 second to 30 days, such as PT15M, PT1H or P1D.');
