// Suggests the known name that a mistyped one probably meant. Used for options of createService, commands and arguments.

/** The edit distance between two words: a letter added, removed or replaced, or two neighbours swapped. */
export function editDistance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let min = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        min = Math.min(min, (before[j - 2] ?? 0) + 1);
      }
      next.push(min);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

/** Longer words are no typing errors, and comparing them would take long. */
const maxLength = 60;

/** Whether the name ends with the word as a part of its own: `webhook_id` and `keyOrId` with `id`. */
const endsWith = (name: string, word: string): boolean =>
  word.length > 1 && (name.endsWith(`_${word}`) || name.endsWith(`${word.charAt(0).toUpperCase()}${word.slice(1)}`));

/** The one known name that the given one shortens, or lengthens. */
function akin(given: string, known: readonly string[]): string | undefined {
  const found = known.filter((name) => name !== given && (endsWith(name, given) || endsWith(given, name)));
  return found.length === 1 ? found[0] : undefined;
}

/** The shortest known name that has all words of the given one, and more: `list_old_notes` for `list_notes`. */
function widerName(given: string, known: readonly string[]): string | undefined {
  const words = given.toLowerCase().split('_');
  if (words.length < 2) return undefined;
  const found = known.filter((name) => name !== given && words.every((word) => name.split('_').includes(word)));
  return found.sort((a, b) => a.length - b.length)[0];
}

/** The known name with the same words and more; else the nearest one; where none is near, the one of which the given one is the end, or the other way round. */
export function suggestionFor(given: string, known: Iterable<string>): string | undefined {
  if (given.length > maxLength) return undefined;
  const names = [...known];
  return widerName(given, names) ?? nearest(given, names) ?? akin(given, names);
}

function nearest(given: string, known: readonly string[]): string | undefined {
  const word = given.toLowerCase();
  let [best, min]: [string | undefined, number] = [undefined, Math.max(1, Math.floor(word.length / 3)) + 1];
  for (const name of known) {
    const edits = name.startsWith(word) && word.length >= 3 ? 1 : editDistance(word, name);
    if (edits < min) [best, min] = [name, edits];
  }
  return best;
}

/** ` Did you mean …?`, or an empty text. */
export function didYouMean(given: string, known: Iterable<string>, mark = ''): string {
  const found = suggestionFor(given, known);
  return found === undefined ? '' : ` Did you mean ${mark}${found}?`;
}

/** The most names of which a sentence lists all. */
const maxNames = 12;

/** `There are: a, b and 3 more.`; undefined where there is none. */
export function thereAre(known: Iterable<string>): string | undefined {
  const names = [...known];
  if (names.length === 0) return undefined;
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `There are: ${names.slice(0, maxNames).join(', ')}${more}.`;
}

/** @throws TypeError for the first field of a declaration that nothing reads: it would be left out in silence */
export function refuseUnknownFields(what: string, given: object, known: Readonly<Record<string, true>>): void {
  const name = Object.keys(given).find((field) => !Object.hasOwn(known, field));
  if (name === undefined) return;
  const hint = didYouMean(name, Object.keys(known)) || ` There are: ${Object.keys(known).join(', ')}.`;
  throw new TypeError(`${what} has no field ${name}.${hint}`);
}
