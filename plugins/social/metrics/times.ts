// The times at which the metrics of a live post are collected: hourly for 48 hours after its publication, daily to day 30, weekly to day 90.

const hour = 3_600_000;
const day = 24 * hour;

/** The next collection after `now`; null if the metrics are no longer collected. */
export function nextCollectionAt(publishedAt: number, now: number): number | null {
  const age = Math.max(0, now - publishedAt);
  const step = age < 2 * day ? hour : age < 30 * day ? day : 7 * day;
  const nextAt = publishedAt + (Math.floor(age / step) + 1) * step;
  return nextAt - publishedAt > 90 * day ? null : nextAt;
}
