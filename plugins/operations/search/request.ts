// A request in the words of a user: the possible meanings of each word, and whether the request asks or commands. Pure.
import { conceptsOf } from './concepts.ts';
import { plainSpelling, plainText } from './phrases.ts';
import { isReading, verbsOf } from './verbs.ts';
import { plainNames, stemOf, wordsOf } from './words.ts';

/** A term of the index, with the weight of a match. */
interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

export interface SearchRequest {
  /** For each word, the terms that it may stand for. */
  readonly words: readonly (readonly WeightedTerm[])[];
  /** For each word that can mean verbs of tools: these verbs, with their weights. */
  readonly verbs: readonly ReadonlyMap<string, number>[];
  /** Whether the request asks or commands; undefined if it does both or neither. */
  readonly intent: 'asks' | 'commands' | undefined;
}

/**
 * The weights of terms. The concept of a word that is in the index counts less than the word, and a hint counts less
 * than a word.
 */
const weights = { word: 1, strangeConcept: 1.2, knownConcept: 0.6, hint: 0.7 };
/**
 * The weights of a verb by its position. At the beginning of a clause it is the action that the user wants; elsewhere
 * it may only describe something.
 */
const positionWeights = { first: 1.6, later: 0.5 };

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that may precede the verb of a clause. */
const openingWords = wordSet(
  'a am an and are can did do does had has have how i is it just let lets may must my no not now of off or our should so ' +
    'the then there to us was we were what when where which who whom whose why will with would you yes',
);
const questions = wordSet(
  'what who whom whose which when where why how is are was were did does do has have had any show list find check see whether',
);

/** Words that only hint at a concept, with a word of that concept. */
const hints: ReadonlyMap<string, string> = new Map([
  ...'he her him his mr mrs ms she someone'.split(' ').map((word) => [word, 'person'] as const),
  ['sometime', 'schedule'],
]);

const isCapitalised = (word: string): boolean => /^\p{Lu}\p{Ll}/u.test(word);

function termsOf(word: string, isKnown: (stem: string) => boolean, isName: boolean): readonly WeightedTerm[] {
  const weighted = (terms: readonly string[], weight: number) => terms.map((term) => ({ term, weight }));
  const hint = hints.get(word) ?? (isName ? 'person' : undefined);
  if (hint !== undefined) return weighted(conceptsOf(hint), weights.hint);
  const stem = stemOf(word);
  if (stem === undefined) return [];
  const conceptWeight = isKnown(stem) ? weights.knownConcept : weights.strangeConcept;
  return [{ term: stem, weight: weights.word }, ...weighted(conceptsOf(stem), conceptWeight)];
}

/**
 * Reads a request. `isKnown` returns whether the index contains a word. If `as` is `written`, expressions of several
 * words are not replaced.
 */
export function requestOf(
  query: string,
  isKnown: (stem: string) => boolean,
  as: 'rewritten' | 'written' = 'rewritten',
): SearchRequest {
  const capitalised = new Set(
    wordsOf(query)
      .filter(isCapitalised)
      .map((word) => word.toLowerCase()),
  );
  const isName = (word: string): boolean => {
    const stem = capitalised.has(word) ? stemOf(word) : undefined;
    return stem !== undefined && !isKnown(stem) && conceptsOf(stem).length === 0 && verbsOf(word).size === 0;
  };
  const terms = new Map<string, readonly WeightedTerm[]>();
  const verbs: ReadonlyMap<string, number>[] = [];
  let [asks, commands] = [query.includes('?'), false];
  const text = as === 'rewritten' ? plainText : plainSpelling;
  for (const clause of text(plainNames(query)).split(/[,.;:!?]+|\band\b|\bthen\b|\bbut\b/)) {
    const words = wordsOf(clause);
    const first = words.findIndex((word) => !openingWords.has(word));
    asks ||= questions.has(words[0] ?? '');
    for (const [at, word] of words.entries()) {
      terms.set(word, termsOf(word, isKnown, isName(word)));
      const possibleVerbs = verbsOf(word);
      if (possibleVerbs.size === 0 || hints.has(word)) continue;
      commands ||= at === first && ![...possibleVerbs.keys()].some(isReading);
      const positionWeight = at === first || questions.has(word) ? positionWeights.first : positionWeights.later;
      verbs.push(new Map([...possibleVerbs].map(([verb, weight]) => [verb, weight * positionWeight])));
    }
  }
  // A request without a verb, such as “a new list”, usually wants to create something.
  if (verbs.length === 0 && /^\s*(?:an?|new)\b/i.test(query)) verbs.push(verbsOf('create'));
  return { words: [...terms.values()], verbs, intent: asks === commands ? undefined : asks ? 'asks' : 'commands' };
}
