// Pads lists of ids to a few lengths, because each length is another statement text, and a server keeps every prepared
// text. Called for each `in (…)` with a list of varying length.

const lengths = [1, 4, 16, 64, 256, 512, 1_024];
const longest = 1_024;

/**
 * The ids for `where('id', 'in', …)`, padded to the next of a few lengths (beyond 1,024: to a multiple of 1,024), so
 * that lists of all sizes share a few statement texts. `filler` (Default: the last id, or '' if there are no ids).
 */
export function filledList(ids: readonly string[], filler: string = ids.at(-1) ?? ''): string[] {
  const length = lengths.find((candidate) => candidate >= ids.length) ?? Math.ceil(ids.length / longest) * longest;
  return Array.from({ length }, (_, index) => ids[index] ?? filler);
}
