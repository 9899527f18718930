// The index of the composed operations, and the weights of their names, texts, fields and synonyms. Made once, at the first
// search.
import MiniSearch from 'minisearch';
import type { CataloguedOperation } from '../../../core/index.ts';
import { conceptsOf, isConcept } from './concepts.ts';
import { requestOf, type SearchRequest } from './request.ts';
import { isReading, verbOf } from './verbs.ts';
import { stemOf, wordsOf } from './words.ts';

interface Entry {
  readonly id: string;
  /**
   * Name and summary without their verbs, so that a request about a contact list does not match the verb `list` of many
   * tools.
   */
  readonly object: string;
  /** The words that users have for the operation. */
  readonly words: string;
  readonly description: string;
  readonly fields: string;
  /** The concepts of its object. */
  readonly concepts: string;
  /** The concepts of users' words. */
  readonly wordConcepts: string;
  /** The concepts of its description. */
  readonly descriptionConcepts: string;
}

const boost = {
  object: 2.2,
  words: 2.4,
  description: 0.7,
  fields: 0.1,
  concepts: 2.4,
  wordConcepts: 1.4,
  descriptionConcepts: 0.7,
};
/** The share of a matching verb in an operation's score: as a factor, and as a score of its own. */
const verbBoost = { factor: 1.4, alone: 5 };
/** A verb that matches less than this finds no operation by itself. */
const minVerb = 0.3;
/**
 * The factor for an operation whose intent differs: it changes something but the request asks, or it reads but the
 * request commands.
 */
const otherIntent = 0.65;
/** The weight of the request as written, compared with the rewritten request. */
const writtenWeight = 0.5;
/** The factor for everyday operations, so that they come first among equal matches. */
const everydayFactor = 1.1;

const termsIn = (text: string): string[] => wordsOf(text).flatMap((word) => stemOf(word) ?? []);
const conceptsIn = (terms: readonly string[]): readonly string[] => terms.flatMap(conceptsOf);
const joined = (terms: readonly string[], without: readonly string[] = []): string =>
  [...new Set(terms)].filter((term) => !without.includes(term)).join(' ');

const withoutVerb = (text: string): string => wordsOf(text).slice(1).join(' ');

function entryOf(operation: CataloguedOperation): Entry {
  const { properties = {} } = operation.inputSchema() as { properties?: object };
  const object = termsIn(`${withoutVerb(operation.tool ?? operation.id)} ${withoutVerb(operation.summary)}`);
  const words = termsIn(operation.searchWords.join(' '));
  const description = termsIn(operation.description ?? '');
  const concepts = conceptsIn(object);
  const wordConcepts = conceptsIn(words);
  return {
    id: operation.id,
    object: joined(object),
    words: joined(words, object),
    description: joined(description),
    fields: joined(termsIn(Object.keys(properties).join(' '))),
    concepts: joined(concepts),
    wordConcepts: joined(wordConcepts, concepts),
    descriptionConcepts: joined(conceptsIn(description), [...concepts, ...wordConcepts]),
  };
}

type ScoredIds = readonly (readonly [id: string, score: number])[];

/**
 * Returns the search for a term: the scores of all operations that match. For terms in the index, the scores are
 * computed once.
 */
function createTermSearch(entries: readonly Entry[], isKnown: (term: string) => boolean): (term: string) => ScoredIds {
  const isUnknownTerm = (term: string): boolean => term.length > 4 && !isKnown(term) && !isConcept(term);
  const index = new MiniSearch<Entry>({
    fields: Object.keys(boost),
    tokenize: (terms) => terms.split(' '),
    processTerm: (term) => term,
    searchOptions: {
      boost,
      // Only a word that is not in the index can be a typing error, or the beginning of another word.
      prefix: isUnknownTerm,
      fuzzy: (term) => (isUnknownTerm(term) ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.3 },
      bm25: { k: 0.9, b: 0.5, d: 0.3 },
    },
  });
  index.addAll(entries);
  const search = (term: string): ScoredIds => index.search(term).map(({ id, score }) => [id, score]);
  const cachedScores = new Map<string, ScoredIds>();
  return (term) => {
    if (!isKnown(term) && !isConcept(term)) return search(term);
    const scores = cachedScores.get(term) ?? search(term);
    cachedScores.set(term, scores);
    return scores;
  };
}

/** The score of each operation by the subject of the request. If a word has several meanings, its best match counts. */
function scoresOf({ words }: SearchRequest, search: (term: string) => ScoredIds): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const terms of words) {
    const best = new Map<string, number>();
    for (const { term, weight } of terms)
      for (const [id, score] of search(term)) best.set(id, Math.max(best.get(id) ?? 0, score * weight));
    for (const [id, score] of best) scores.set(id, (scores.get(id) ?? 0) + score);
  }
  return scores;
}

/** How well each verb of tools fits the request. A word that can mean the verbs of many tools gets a low weight. */
function verbMatches({ verbs }: SearchRequest, toolsOf: ReadonlyMap<string, number>, all: number) {
  const matches = new Map<string, number>();
  for (const possibleVerbs of verbs) {
    const toolCount = [...possibleVerbs.keys()].reduce((sum, verb) => sum + (toolsOf.get(verb) ?? 0), 0);
    const rarity = Math.log(1 + all / (1 + toolCount)) / Math.log(1 + all);
    for (const [verb, weight] of possibleVerbs) matches.set(verb, Math.max(weight * rarity, matches.get(verb) ?? 0));
  }
  return matches;
}

/** Finds operations by words, the best first. */
export function createOperationFinder(
  operations: readonly CataloguedOperation[],
): (query: string) => readonly CataloguedOperation[] {
  const byName = new Map(operations.map((operation) => [operation.tool ?? operation.id, operation]));
  const toolsOf = new Map<string, number>();
  for (const operation of operations) toolsOf.set(verbOf(operation), (toolsOf.get(verbOf(operation)) ?? 0) + 1);
  const entries = operations.map(entryOf);
  const texts = entries.map(({ object, words, description, fields }) => `${object} ${words} ${description} ${fields}`);
  const indexedTerms = new Set(texts.join(' ').split(' '));
  const isKnown = (term: string): boolean => indexedTerms.has(term);
  const search = createTermSearch(entries, isKnown);

  /** The score of each operation that fits, by its id; the best has 1. */
  const relativeScores = (request: SearchRequest): ReadonlyMap<string, number> => {
    const scores = scoresOf(request, search);
    const matches = verbMatches(request, toolsOf, operations.length);
    const scoreOf = (operation: CataloguedOperation): number => {
      const [object, verb] = [scores.get(operation.id) ?? 0, verbOf(operation)];
      const match = matches.get(verb) ?? 0;
      if (object === 0 && match < minVerb) return 0;
      const hasOtherIntent = request.intent !== undefined && isReading(verb) !== (request.intent === 'asks');
      const factor = (operation.isEveryday ? everydayFactor : 1) * (hasOtherIntent ? otherIntent : 1);
      return object * (1 + verbBoost.factor * match) * factor + verbBoost.alone * match;
    };
    const all = operations.map((operation) => [operation.id, scoreOf(operation)] as const);
    const bestScore = all.reduce((most, [, score]) => Math.max(most, score), 0);
    return new Map(all.flatMap(([id, score]) => (score > 0 ? [[id, score / bestScore] as const] : [])));
  };

  return (query) => {
    const rewritten = relativeScores(requestOf(query, isKnown));
    const written = relativeScores(requestOf(query, isKnown, 'written'));
    const found = operations
      .map((operation) => ({
        operation,
        score: (rewritten.get(operation.id) ?? 0) + writtenWeight * (written.get(operation.id) ?? 0),
      }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .map(({ operation }) => operation);
    const exactMatch = byName.get(query.trim());
    return exactMatch === undefined ? found : [exactMatch, ...found.filter((operation) => operation !== exactMatch)];
  };
}
