/**
 * Estimates the cost of parsing and compiling a source without parsing it, for limits and for the sizes of caches. Linear in the
 * source's length.
 */
import { ELEMENT_LIMIT, MJML_ELEMENT_LIMIT, STYLE_LIMIT, STYLE_WORK_LIMIT } from './limits.ts';

/** The characters of a tag that count as one step: a long condition costs as much as many short tags. */
const STEP_CHARACTERS = 32;

/** Returns the end of the tag that begins at `from`; quoted text is skipped as in the parser. */
function endOfTag(source: string, from: number): number {
  const close = source[from + 1] === '{' ? '}' : '%';
  for (let at = from + 2; at < source.length; at++) {
    const sign = source[at];
    if (sign === '"' || sign === "'") {
      const end = source.indexOf(sign, at + 1);
      if (end < 0) return source.length;
      at = end;
    } else if (sign === close && source[at + 1] === '}') return at + 2;
  }
  return source.length;
}

/**
 * Counts the Liquid tags and placeholders of a source. A long tag counts once for every 32 characters; a `liquid` tag
 * counts once for each of its lines.
 */
export function countSteps(source: string): number {
  let steps = 0;
  let end = 0;
  for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', end)) {
    end = at + 1;
    if (source[end] !== '{' && source[end] !== '%') continue;
    end = endOfTag(source, at);
    // If the parser ends a tag earlier than this code, tags that begin inside it are still counted.
    const tagCount = source.slice(at, end).match(/\{[{%]/g)?.length ?? 1;
    steps += Math.max(tagCount, Math.ceil((end - at) / STEP_CHARACTERS));
  }
  if (steps > 0 && /\{%-?\s*liquid\b/.test(source)) steps += source.split('\n').length - 1;
  return steps;
}

/** Counts the elements of a body; an MJML element becomes about five HTML elements. */
export function countElements(body: string): number {
  const count = (pattern: RegExp): number => body.match(pattern)?.length ?? 0;
  return count(/<[a-z]/gi) + 4 * count(/<mj-/gi);
}

/** Returns, as a sentence, why compiling a body would take more than a second. */
export function compileWorkFault(body: string): string | undefined {
  const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;
  if (count(/<!--/g, body) > ELEMENT_LIMIT) return `The body has more than ${ELEMENT_LIMIT} comments.`;
  const styles = [...body.matchAll(/<(?:mj-)?style\b[^<>]*>([\s\S]*?)(?:<\/|$)/gi)]
    .map(([, css]) => css ?? '')
    .join('\n');
  if (styles.length > STYLE_LIMIT) return `All styles together have at most ${STYLE_LIMIT} characters.`;
  // An MJML element becomes about five HTML elements. `mj-selector` and `:has()` search more than other selectors.
  const mjmlElements = count(/<mj-/gi, body);
  if (mjmlElements > MJML_ELEMENT_LIMIT) return `The body has more than ${MJML_ELEMENT_LIMIT} MJML elements.`;
  const elements = count(/<[a-z]/gi, body) + 5 * mjmlElements;
  const selectors = count(/[{,]/g, styles.replace(/\{[^{}]*\}/g, '{')) + 4 * count(/:has\(/gi, styles);
  const work = (selectors + 30 * count(/<mj-selector/gi, body)) * elements;
  return work > STYLE_WORK_LIMIT
    ? 'The body has too many selectors for so many elements: use fewer selectors or fewer elements.'
    : undefined;
}
