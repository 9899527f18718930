/**
 * The `pattern` keyword: checked together with its contract, and run on re2js, whose time is linear in the text for
 * every pattern. JavaScript's own engine never runs a user's pattern.
 */
import { RE2JS } from 're2js';
import { messageOf, nameOf } from '../language/fault.ts';
import { isAmbiguous } from './pattern-ambiguity.ts';
import { printPattern, readPattern, sizeOfPattern } from './pattern-syntax.ts';

const LENGTH_LIMIT = 256;
const SIZE_LIMIT = 500;

/** Returns, as a sentence, why a pattern is refused; undefined if it is accepted. */
export function findPatternFault(pattern: string): string | undefined {
  if (pattern.length > LENGTH_LIMIT) return `A pattern has at most ${LENGTH_LIMIT} characters.`;
  try {
    const tree = readPattern(pattern);
    if (sizeOfPattern(tree) > SIZE_LIMIT)
      return 'The pattern repeats too many characters: use maxLength to limit the length of a text.';
    if (isAmbiguous(tree)) {
      return 'The pattern can backtrack without bound: a repetition inside a repetition reads the same text.';
    }
    RE2JS.compile(printPattern(tree));
    return undefined;
  } catch (error) {
    return nameOf(error) === 'PatternRefusal' ? messageOf(error) : 'The pattern cannot be run.';
  }
}

export interface CompiledPattern {
  /** The maximum number of steps for each character of the text. */
  size: number;
  /** As in JSON Schema, the pattern may match anywhere in the text. */
  test(text: string): boolean;
}

/** Compiles a pattern that findPatternFault accepted. */
export function compilePattern(pattern: string): CompiledPattern {
  const tree = readPattern(pattern);
  const engine = RE2JS.compile(printPattern(tree));
  return { size: sizeOfPattern(tree), test: (text) => engine.matcher(text).find() };
}
