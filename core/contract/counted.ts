// A number with its noun: `1 credit`, `2 credits`. Called by what writes sentences.

/** The noun in the singular; its plural ends in s. */
export const counted = (count: number | bigint, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;
