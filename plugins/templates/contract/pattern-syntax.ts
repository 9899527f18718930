/**
 * Parses the regular expressions that a contract may contain: ECMAScript's syntax (flag u) without lookaround and references,
 * which linear engines do not support. pattern.ts checks the tree and prints it for the engine that runs it.
 */

/** A set of characters: ranges of code points, or a Unicode property whose ranges are not needed. */
export interface CharacterSet {
  kind: 'set';
  ranges: readonly (readonly [number, number])[];
  /** The set in the engine's syntax, if ranges cannot express it. */
  printed?: string;
}

export type PatternNode =
  | CharacterSet
  | { kind: 'edge'; text: '^' | '$' | '\\b' | '\\B' }
  | { kind: 'sequence' | 'choice'; parts: PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; min: number; max: number };

/** Makes an error whose message explains, in a sentence, why a pattern is refused. */
export function patternRefusal(message: string): Error {
  return Object.assign(new Error(message), { name: 'PatternRefusal' });
}

const LAST = 0x10ffff;
const DIGIT = [[48, 57]] as const;
const WORD = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
] as const;
const SPACE = [
  ...[
    [9, 13],
    [32, 32],
    [160, 160],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
  ],
  ...[
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
] as [number, number][];
const NOT_DOT = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
] as const;
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, '0': 0 };
const REPEAT_LIMIT = 1000;

type Ranges = readonly (readonly [number, number])[];

/** All code points outside of the given ranges. */
export function invert(ranges: Ranges): [number, number][] {
  const sorted = [...ranges].sort(([left], [right]) => left - right);
  const outside: [number, number][] = [];
  let next = 0;
  for (const [from, to] of sorted) {
    if (from > next) outside.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST) outside.push([next, LAST]);
  return outside;
}

/** Reads a pattern. @throws patternRefusal */
export function readPattern(source: string): PatternNode {
  const chars = [...source];
  let at = 0;
  const peek = (): string => chars[at] ?? '';
  const take = (): string => chars[at++] ?? '';
  const eat = (text: string): boolean => {
    const isNext = chars.slice(at, at + text.length).join('') === text;
    if (isNext) at += text.length;
    return isNext;
  };
  const refuse = (why: string): never => {
    throw patternRefusal(why);
  };

  function readChoice(depth: number): PatternNode {
    if (depth > 20) refuse('Groups are nested too deeply.');
    const parts = [readSequence(depth)];
    while (eat('|')) parts.push(readSequence(depth));
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
  }

  function readSequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (at < chars.length && peek() !== '|' && peek() !== ')') parts.push(readRepeat(readAtom(depth)));
    return { kind: 'sequence', parts };
  }

  function readRepeat(part: PatternNode): PatternNode {
    const counts = readCounts();
    if (!counts) return part;
    if (part.kind === 'edge') refuse('A position such as `^` or `$` cannot be repeated.');
    eat('?');
    if (/^[*+?{]$/.test(peek())) refuse('A quantifier has nothing before it.');
    return { kind: 'repeat', part, ...counts };
  }

  function readCounts(): { min: number; max: number } | undefined {
    if (eat('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (eat('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (eat('?')) return { min: 0, max: 1 };
    if (peek() !== '{') return undefined;
    const [whole, low = '', comma, high = ''] =
      /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(chars.slice(at, at + 12).join('')) ?? [];
    if (whole === undefined) return refuse('A brace must be escaped.');
    at += whole.length;
    const min = Number(low);
    const max = comma === undefined ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (max < min || min > REPEAT_LIMIT || (max > REPEAT_LIMIT && max !== Number.POSITIVE_INFINITY)) {
      refuse(`The counts of a repetition are at most ${REPEAT_LIMIT}, and the second is not below the first.`);
    }
    return { min, max };
  }

  function readAtom(depth: number): PatternNode {
    const char = take();
    if (char === '(') return readGroup(depth);
    if (char === '[') return readClass();
    if (char === '.') return { kind: 'set', ranges: invert(NOT_DOT) };
    if (char === '^' || char === '$') return { kind: 'edge', text: char };
    if (char === '\\' && (peek() === 'b' || peek() === 'B')) {
      return { kind: 'edge', text: take() === 'b' ? '\\b' : '\\B' };
    }
    if (char === '\\') return readEscape();
    if (/[*+?{}\]]/.test(char)) refuse(`\`${char}\` must be escaped here.`);
    return single(char.codePointAt(0) ?? 0);
  }

  function readGroup(depth: number): PatternNode {
    if (eat('?:')) return closeGroup(depth);
    if (peek() !== '?') return closeGroup(depth);
    const name = /^\?<[A-Za-z_]\w{0,30}>/.exec(chars.slice(at, at + 40).join(''));
    if (!name) refuse('Lookaround and flags are not available: only plain groups are.');
    at += name?.[0].length ?? 0;
    return closeGroup(depth);
  }

  function closeGroup(depth: number): PatternNode {
    const body = readChoice(depth + 1);
    if (!eat(')')) refuse('A group is not closed.');
    return body;
  }

  function readClass(): PatternNode {
    const negated = eat('^');
    const ranges: (readonly [number, number])[] = [];
    let properties = '';
    while (peek() !== ']') {
      if (at >= chars.length) refuse('A class is not closed.');
      const low = readClassAtom();
      if (low.printed) properties += low.printed;
      const isRange = peek() === '-' && chars[at + 1] !== ']' && at + 1 < chars.length;
      if (!isRange) {
        ranges.push(...low.ranges);
        continue;
      }
      at++;
      const high = readClassAtom();
      const [from, to] = [codeOf(low), codeOf(high)];
      if (from === undefined || to === undefined || from > to)
        return refuse('A range of a class runs from a lower to a higher character.');
      ranges.push([from, to]);
    }
    at++;
    if (properties === '') return { kind: 'set', ranges: negated ? invert(ranges) : ranges };
    const plain = ranges.filter(([from, to]) => from !== 0 || to !== LAST);
    return { kind: 'set', ranges: [[0, LAST]], printed: `[${negated ? '^' : ''}${properties}${printRanges(plain)}]` };
  }

  function readClassAtom(): CharacterSet {
    const char = take();
    if (char === '\\') return eat('b') ? single(8) : eat('-') ? single(45) : readEscape();
    return single(char.codePointAt(0) ?? 0);
  }

  function readEscape(): CharacterSet {
    const char = take();
    if (char === 'd' || char === 'D') return { kind: 'set', ranges: char === 'd' ? DIGIT : invert(DIGIT) };
    if (char === 'w' || char === 'W') return { kind: 'set', ranges: char === 'w' ? WORD : invert(WORD) };
    if (char === 's' || char === 'S') return { kind: 'set', ranges: char === 's' ? SPACE : invert(SPACE) };
    const control = CONTROLS[char];
    if (control !== undefined && !(char === '0' && /\d/.test(peek()))) return single(control);
    if (char === 'p' || char === 'P') {
      const [whole] = /^\{(?:[LNPSZMC][a-z]?)\}/.exec(chars.slice(at, at + 5).join('')) ?? [];
      if (!whole) return refuse('Of the Unicode properties only general categories such as `\\p{L}` are available.');
      at += whole.length;
      return { kind: 'set', ranges: [[0, LAST]], printed: `\\${char}${whole}` };
    }
    const rest = chars.slice(at, at + 10).join('');
    const [whole, hex] = (char === 'x' ? /^([\da-f]{2})/i : /^(?:\{([\da-f]{1,6})\}|([\da-f]{4}))/i).exec(rest) ?? [];
    if ((char === 'x' || char === 'u') && whole) {
      at += whole.length;
      const code = Number.parseInt(hex ?? whole, 16);
      return code <= LAST ? single(code) : refuse('There is no such character.');
    }
    if (/^[\^$\\.*+?()[\]{}|/-]$/.test(char)) return single(char.charCodeAt(0));
    return refuse(
      /[1-9k]/.test(char) ? 'References to groups are not available.' : `There is no escape \`\\${char}\`.`,
    );
  }

  const tree = readChoice(0);
  if (at < chars.length) refuse('A closing parenthesis has no opening parenthesis.');
  return tree;
}

function single(code: number): CharacterSet {
  return { kind: 'set', ranges: [[code, code]] };
}

function codeOf(set: CharacterSet): number | undefined {
  const [range] = set.ranges;
  return set.ranges.length === 1 && range && range[0] === range[1] ? range[0] : undefined;
}

function printRanges(ranges: Ranges): string {
  return ranges.map(([from, to]) => `\\x{${from.toString(16)}}-\\x{${to.toString(16)}}`).join('');
}

/** Prints a tree in RE2's syntax. It matches the same texts, and every set is written out. */
export function printPattern(node: PatternNode): string {
  switch (node.kind) {
    case 'set':
      if (node.printed) return node.printed;
      return node.ranges.length === 0 ? '[^\\x{0}-\\x{10ffff}]' : `[${printRanges(node.ranges)}]`;
    case 'edge':
      return node.text === '^' ? '\\A' : node.text === '$' ? '\\z' : node.text;
    case 'sequence':
      return node.parts.map(printPattern).join('');
    case 'choice':
      return `(?:${node.parts.map(printPattern).join('|')})`;
    case 'repeat': {
      const { min, max } = node;
      return `(?:${printPattern(node.part)}){${min},${max === Number.POSITIVE_INFINITY ? '' : max}}`;
    }
  }
}

/**
 * The maximum number of characters that a pattern describes, with unbounded repeats counted once. This is the engine's
 * cost for each character of the text.
 */
export function sizeOfPattern(node: PatternNode): number {
  if (node.kind === 'set' || node.kind === 'edge') return 1;
  if (node.kind !== 'repeat') return node.parts.reduce((sum, part) => sum + sizeOfPattern(part), 0);
  return sizeOfPattern(node.part) * Math.max(1, node.max === Number.POSITIVE_INFINITY ? node.min : node.max);
}
