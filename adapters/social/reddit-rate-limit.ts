// Parses the wait from Reddit's rate limit messages. Called by reddit.ts. Pure.

const factors: Readonly<Record<string, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 };

/** The time in a message such as `… for 5 minutes …`, in milliseconds; 0 if there is none. */
export function waitMsInMessage(message: string): number {
  const [, count, unit = ''] = /\b(\d{1,6}) (second|minute|hour)/.exec(message) ?? [];
  return Number(count ?? 0) * (factors[unit] ?? 0);
}
