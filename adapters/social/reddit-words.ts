// What Reddit says in words of a limit. Called by reddit.ts. Pure.

const factors: Readonly<Record<string, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 };

/** The time that words such as `… for 5 minutes …` name; 0 without one. */
export function namedWaitMs(words: string): number {
  const [, count, unit = ''] = /\b(\d{1,6}) (second|minute|hour)/.exec(words) ?? [];
  return Number(count ?? 0) * (factors[unit] ?? 0);
}
