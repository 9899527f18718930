// The durations that sequences accept. Arithmetic with durations is in interpreter/calendar.ts.
import { z } from '../../../core/index.ts';
import { type DurationParts, parseDuration } from '../../../core/unstable.ts';

export type { DurationParts };
export { parseDuration };

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

/** The maximum length in milliseconds, for limits: a month counts as 30 days, but 12 months as 365 days. */
function maxLength({ months, days, ms }: DurationParts): number {
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
  else if (maxLength(parts) > yearMs) context.addIssue({ code: 'custom', message: 'At most P365D.' });
});

/** A duration of at most 365 days that may be negative. */
export const offsetDuration = durationText.superRefine((text, context) => {
  const parts = parseDuration(text);
  if (parts === undefined) context.addIssue({ code: 'custom', message });
  else if (maxLength(parts) > yearMs) context.addIssue({ code: 'custom', message: 'At most P365D.' });
});
