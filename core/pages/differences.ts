// The differences of two texts: by words for short texts, by lines for long ones. Called by console-differences.ts. Pure.

/** The cost of comparing is the product of the numbers of pieces. Beyond this limit everything that differs counts as replaced. */
const maxCells = { words: 60_000, lines: 1_000_000 } as const;

/** Consecutive pieces that are in both texts, or only in one of them. */
export interface DifferencePart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly pieces: readonly string[];
}

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** The longest line, in characters. Longer ones, such as HTML without line breaks, are divided after each tag. */
const maxLine = 200;

const linesOf = (text: string): string[] =>
  text === ''
    ? []
    : text
        .split(/\r\n|\r|\n/)
        .flatMap((line) => (line.length <= maxLine ? [line] : (line.match(/[^>]{0,199}>|[^>]{1,200}/g) ?? [])));

/** The lengths of the longest common subsequences of all suffixes of two lists. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const [row, below] = [lengths[i] as Uint16Array, lengths[i + 1] as Uint16Array];
    for (let j = after.length - 1; j >= 0; j -= 1)
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return lengths;
}

function middleParts(before: readonly string[], after: readonly string[], limit: number): DifferencePart[] {
  if (before.length * after.length > limit)
    return [
      { kind: 'removed', pieces: before },
      { kind: 'added', pieces: after },
    ];
  const lengths = commonLengths(before, after);
  const parts: DifferencePart[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [removed, added, same]: [string[], string[], string[]] = [[], [], []];
    while ((i < before.length || j < after.length) && (i === before.length || before[i] !== after[j])) {
      const isRemoval =
        j === after.length || (i < before.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0));
      if (isRemoval) removed.push(before[i++] ?? '');
      else added.push(after[j++] ?? '');
    }
    while (i < before.length && j < after.length && before[i] === after[j]) {
      same.push(before[i] ?? '');
      i += 1;
      j += 1;
    }
    parts.push({ kind: 'removed', pieces: removed }, { kind: 'added', pieces: added }, { kind: 'same', pieces: same });
  }
  return parts;
}

/** The parts of two lists in their order. Equal pieces at both ends cost nothing. */
function partsOf(before: readonly string[], after: readonly string[], limit: number): DifferencePart[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const middle = (pieces: readonly string[]): readonly string[] => pieces.slice(start, pieces.length - end);
  const parts: DifferencePart[] = [
    { kind: 'same', pieces: before.slice(0, start) },
    ...middleParts(middle(before), middle(after), limit),
    { kind: 'same', pieces: before.slice(before.length - end) },
  ];
  return parts.filter(({ pieces }) => pieces.length > 0);
}

/** The difference of two texts, by words, white space and other characters. */
export const wordDifference = (before: string, after: string): DifferencePart[] =>
  partsOf(wordsOf(before), wordsOf(after), maxCells.words);

/** The difference of two texts, by lines. */
export const lineDifference = (before: string, after: string): DifferencePart[] =>
  partsOf(linesOf(before), linesOf(after), maxCells.lines);
