// The words of the console for amounts of a workspace. Pure.

/** An amount of which null means no limit. */
export const countText = (count: number | null): string =>
  count === null ? 'Unlimited' : count.toLocaleString('en-GB');
