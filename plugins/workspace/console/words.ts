// The words in which the console shows amounts. Pure.

/** An amount; null means no limit. */
export const countText = (count: number | null): string =>
  count === null ? 'Unlimited' : count.toLocaleString('en-GB');
