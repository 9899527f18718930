// The words of the console for amounts of a workspace. Pure.

/** An amount of which null means no limit. */
export const shownCount = (count: number | null): string =>
  count === null ? 'Unlimited' : count.toLocaleString('en-GB');
