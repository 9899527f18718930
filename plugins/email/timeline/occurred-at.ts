// The time of a report by the provider's clock, which may be wrong or made up. Called where reports, opens and clicks are recorded.
import type { SendEventRow, SendRow } from '../tables.ts';

/** The maximum difference between the clocks of the provider and of this service. */
const toleranceMs = 300_000;

/**
 * The reported time of an event if it can be true: between the acceptance of the send and now. A time up to five minutes outside counts as
 * the nearer end of that range; undefined for any other time.
 */
export function believableTime(
  at: number | undefined,
  { created_at: accepted }: Pick<SendRow, 'created_at'>,
  now: number,
): number | undefined {
  if (at === undefined || !(at >= accepted - toleranceMs && at <= now + toleranceMs)) return undefined;
  return Math.trunc(Math.min(Math.max(at, accepted), now));
}

/** The time of the event: the provider's time if the provider reported one, otherwise the time of recording. */
export const happenedAt = ({ ts, details: { occurredAt } }: Pick<SendEventRow, 'ts' | 'details'>): number =>
  occurredAt === undefined ? ts : Date.parse(occurredAt);
