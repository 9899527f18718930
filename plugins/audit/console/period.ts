// The period that a filter of the audit's pages selects: its length, and the time at which it ends. Pure.
import type { ConsoleContext } from '../../../core/index.ts';

const hourMs = 3_600_000;

/** The words and the length of each period, by its value in the address. */
const periods: Readonly<Record<string, readonly [words: string, ms: number]>> = {
  '1h': ['The last hour', hourMs],
  '6h': ['The last 6 hours', 6 * hourMs],
  '24h': ['The last 24 hours', 24 * hourMs],
  '7d': ['The last 7 days', 168 * hourMs],
  '30d': ['The last 30 days', 720 * hourMs],
};

/** The fields of a filter. `values`: the periods to choose from. */
export const periodFields = (values: readonly string[]) => [
  {
    name: 'since',
    label: 'Period',
    options: values.map((value) => [value, periods[value]?.[0] ?? value] as const),
  },
  { name: 'until', label: 'Before (2026-11-20 14:00 UTC)' },
];

/** A time in UTC, as a person writes it. */
const written = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?Z?$/;

/** The times for the call. Undefined if `until` is not a valid time. */
export function periodOf({
  query: { since = '', until },
  now,
}: Pick<ConsoleContext, 'query' | 'now'>): { readonly since?: string; readonly until?: string } | undefined {
  const [, length] = Object.hasOwn(periods, since) ? (periods[since] ?? []) : [];
  const from = length === undefined ? {} : { since: new Date(now - length).toISOString() };
  if (until === undefined) return from;
  const [, day, time = '00:00'] = written.exec(until.trim()) ?? [];
  const at = new Date(`${day}T${time}Z`);
  return Number.isNaN(at.getTime()) ? undefined : { ...from, until: at.toISOString() };
}

/** The notice in place of a list if the time is not valid. */
export const noTime = 'Write the time as 2026-11-20 14:00, or only the day.';
