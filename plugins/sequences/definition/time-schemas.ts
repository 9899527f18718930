// Durations as callers write them, and their parts. Arithmetic with them is in interpreter/calendar.ts.
import { z } from '../../../core/index.ts';

/** A parsed ISO 8601 duration: calendar parts, then exact milliseconds. */
export interface DurationParts {
  readonly sign: 1 | -1;
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

const form =
  /^(-)?P(?=[\dT])(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/;

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

/** Undefined where the text is no duration. Seconds are whole. */
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

/** An upper bound, for limits: months as 31 days, but a whole year as 365. */
function longest({ months, days, ms }: DurationParts): number {
  const years = Math.floor(months / 12);
  return years * yearMs + (months % 12) * 30 * dayMs + days * dayMs + ms;
}

const durationText = z.string().max(40);
const message = 'This is no ISO 8601 duration, such as PT2H, P1D or P1M.';

/** A duration of at most 365 days. */
export const duration = durationText.superRefine((text, context) => {
  const parts = parseDuration(text);
  if (parts === undefined) context.addIssue({ code: 'custom', message });
  else if (parts.sign === -1) context.addIssue({ code: 'custom', message: 'This duration cannot be negative.' });
  else if (longest(parts) > yearMs) context.addIssue({ code: 'custom', message: 'At most P365D.' });
});

/** The same before or after: may be negative. */
export const offsetDuration = durationText.superRefine((text, context) => {
  const parts = parseDuration(text);
  if (parts === undefined) context.addIssue({ code: 'custom', message });
  else if (longest(parts) > yearMs) context.addIssue({ code: 'custom', message: 'At most P365D.' });
});
