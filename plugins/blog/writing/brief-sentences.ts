// Reads the usual wording of briefs for posts. Called by the embedded composer of posts.
import { readerSentences } from '../../kit/brief-sentences.ts';

/** The sentences of a brief that address readers; never empty. */
export const sentencesOf = readerSentences({
  verbs: 'publish',
  things: 'blog\\s?post|blog\\s+article|blog\\s+entry|post|article|announcement',
  joins: 'announcing|explaining|presenting|saying that',
  asides:
    '(?:the\\s+)?(?:readers?|title|audience)\\b|end\\s+with\\b|start\\s+with\\b|explain\\b|(?:about\\s+)?[\\d,]+\\s+words\\b',
});
