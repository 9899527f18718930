// Shows the differences of two texts as one HTML text with marked deletions and insertions. Pure.
import { escapeHtml, type Html } from '../../../core/unstable.ts';

/** The cost of comparing is the product of the word counts. Beyond this limit the whole texts are marked. */
const maxCells = 60_000;

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

const mark = (tag: 'del' | 'ins', words: readonly string[]): string =>
  words.length === 0 ? '' : `<${tag}>${escapeHtml(words.join(''))}</${tag}>`;

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

/** The difference between two texts. */
export const markedDifference = (before: string, after: string): Html => ({ html: differenceHtml(before, after) });

function differenceHtml(before: string, after: string): string {
  const [old, young] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < Math.min(old.length, young.length) && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, young.length) - start && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  const [from, to] = [old.slice(start, old.length - end), young.slice(start, young.length - end)];
  const around = (middle: string): string =>
    escapeHtml(old.slice(0, start).join('')) + middle + escapeHtml(end === 0 ? '' : old.slice(-end).join(''));
  if (from.length * to.length > maxCells) return around(mark('del', from) + mark('ins', to));
  const lengths = commonLengths(from, to);
  let html = '';
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    const [gone, come]: [string[], string[]] = [[], []];
    while ((i < from.length || j < to.length) && (i === from.length || j === to.length || from[i] !== to[j])) {
      const takeOut = j === to.length || (i < from.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0));
      if (takeOut) gone.push(from[i++] ?? '');
      else come.push(to[j++] ?? '');
    }
    html += mark('del', gone) + mark('ins', come);
    let same = '';
    while (i < from.length && j < to.length && from[i] === to[j]) {
      same += from[i];
      i += 1;
      j += 1;
    }
    html += escapeHtml(same);
  }
  return around(html);
}

/** A value of a difference as text. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
