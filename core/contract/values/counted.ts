// A number with its noun: `1 credit`, `2 credits`. Called by code that writes sentences.

/** `noun` is the singular. Its plural must end in s. */
export const counted = (count: number | bigint, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;
