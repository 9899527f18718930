// Reads the usual wording of briefs for pages, and derives a page's title from a brief. Called by the embedded composer
// of pages.
import { headingOf, readerSentences } from '../../../kit/brief-sentences.ts';

/** The sentences of a brief that can appear on a page; never empty. */
export const sentencesOf = readerSentences({
  verbs: 'build|design',
  things: 'landing\\s?page|web\\s?page|page|site|website',
  joins: 'to|announcing|promoting|presenting',
  asides: '(?:the\\s+)?(?:colou?rs?|audience)\\b',
});

/** The title of a page that is not yet written. */
export const titleOf = (headline: string | null, brief: string): string =>
  headingOf(headline === null ? (sentencesOf(brief)[0] ?? '') : (sentencesOf(headline)[0] ?? headline));
