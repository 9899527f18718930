// Suggests the known name that was probably meant by a mistyped name. Used for options of createService, commands and arguments.

/** The edit distance between two words. One edit adds, removes or replaces a letter, or swaps two neighbouring letters. */
export function editDistance(a: string, b: string): number {
  let [rowBefore, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let min = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        min = Math.min(min, (rowBefore[j - 2] ?? 0) + 1);
      }
      next.push(min);
    }
    [rowBefore, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

/** The longest name that is compared. Longer names are not typing errors, and comparing them would take long. */
const maxLength = 60;

/** Whether the name ends with the word as a separate part: `webhook_id` and `keyOrId` end with `id`. */
const endsWith = (name: string, word: string): boolean =>
  word.length > 1 && (name.endsWith(`_${word}`) || name.endsWith(`${word.charAt(0).toUpperCase()}${word.slice(1)}`));

/** The known name that ends with the given name, or with which the given name ends; undefined unless there is exactly one. */
function nameWithSameEnding(input: string, known: readonly string[]): string | undefined {
  const matches = known.filter((name) => name !== input && (endsWith(name, input) || endsWith(input, name)));
  return matches.length === 1 ? matches[0] : undefined;
}

/** The shortest known name that contains all words of the given name: `list_old_notes` for `list_notes`. */
function widerName(input: string, known: readonly string[]): string | undefined {
  const words = input.toLowerCase().split('_');
  if (words.length < 2) return undefined;
  const matches = known.filter((name) => name !== input && words.every((word) => name.split('_').includes(word)));
  return matches.sort((a, b) => a.length - b.length)[0];
}

/**
 * Returns the known name that was probably meant, else undefined. Tries these in order: 1. the shortest known name that contains all
 * words of the given name; 2. the known name with the smallest edit distance, if it is near enough; 3. the only known name that ends
 * with the given name, or with which the given name ends.
 */
export function suggestionFor(input: string, known: Iterable<string>): string | undefined {
  if (input.length > maxLength) return undefined;
  const names = [...known];
  return widerName(input, names) ?? nearest(input, names) ?? nameWithSameEnding(input, names);
}

function nearest(input: string, known: readonly string[]): string | undefined {
  const word = input.toLowerCase();
  let [best, min]: [string | undefined, number] = [undefined, Math.max(1, Math.floor(word.length / 3)) + 1];
  for (const name of known) {
    const edits = name.startsWith(word) && word.length >= 3 ? 1 : editDistance(word, name);
    if (edits < min) [best, min] = [name, edits];
  }
  return best;
}

/** Returns ` Did you mean …?`, or an empty string if no name is similar. */
export function didYouMean(input: string, known: Iterable<string>, mark = ''): string {
  const suggestion = suggestionFor(input, known);
  return suggestion === undefined ? '' : ` Did you mean ${mark}${suggestion}?`;
}

/** The largest number of names that a sentence lists. */
const maxNames = 12;

/** Returns `Available: a, b and 3 more.`; undefined if there are no names. */
export function listKnownNames(known: Iterable<string>): string | undefined {
  const names = [...known];
  if (names.length === 0) return undefined;
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `Available: ${names.slice(0, maxNames).join(', ')}${more}.`;
}

/** @throws TypeError for the first unknown field of a declaration, which would otherwise be dropped silently */
export function refuseUnknownFields(declaration: string, value: object, known: Readonly<Record<string, true>>): void {
  const name = Object.keys(value).find((field) => !Object.hasOwn(known, field));
  if (name === undefined) return;
  const hint = didYouMean(name, Object.keys(known)) || ` Available: ${Object.keys(known).join(', ')}.`;
  throw new TypeError(`${declaration} has no field ${name}.${hint}`);
}
