/**
 * Reads a style sheet in which Liquid is hidden: finds its rules, and the Liquid that decides whether they apply. It
 * recovers from broken CSS as browsers do, and judges no value. Called by inline-styles.ts only.
 */
import type { Piece } from './grammar.ts';

/** A rule outside of any at-rule. */
export interface StyleRule {
  readonly selectors: readonly string[];
  readonly body: string;
  /** The Liquid blocks around the rule, outermost first. */
  readonly blocks: readonly LiquidBlock[];
}

/** An open block of Liquid up to a place in it, such as `{% if a %}{% else %}`, and the tag that closes it. */
export interface LiquidBlock {
  readonly open: string;
  readonly close: string;
}

export interface StyleSheet {
  readonly rules: readonly StyleRule[];
  /** Whether Liquid divides the sheet so that its rules are not known before sending. */
  readonly isUndecided: boolean;
}

const BLOCKS: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'for']);
const MIDDLES: ReadonlySet<string> = new Set(['else', 'elsif', 'when']);
/** Tags that do not change the text around them. */
const QUIET: ReadonlySet<string> = new Set(['assign']);

/** The blocks that are open while tags are read in order. */
export class OpenBlocks {
  blocks: LiquidBlock[];
  isBroken = false;

  constructor(open: readonly LiquidBlock[] = []) {
    this.blocks = [...open];
  }

  /** Reads a tag. `word` replaces the tag in the text. */
  read(name: string, word: string): void {
    const top = this.blocks.at(-1);
    if (BLOCKS.has(name)) this.blocks.push({ open: word, close: `{% end${name} %}` });
    else if (MIDDLES.has(name) && top) this.blocks.splice(-1, 1, { ...top, open: top.open + word });
    else if (top && top.close === `{% ${name} %}`) this.blocks.pop();
    else if (!QUIET.has(name)) this.isBroken = true;
  }
}

/** Finds hidden Liquid in a text. */
export interface LiquidWords {
  listPieces(text: string): readonly Piece[];
  /** The piece whose word begins at an offset, and the end of the word. */
  pieceAt(text: string, at: number): { readonly piece: Piece; readonly end: number } | undefined;
}

/** Whether every block that begins in a text ends in it. */
export function isWhole(text: string, words: LiquidWords): boolean {
  const open = new OpenBlocks();
  for (const { kind, name } of words.listPieces(text)) if (kind === 'tag') open.read(name, '');
  return !open.isBroken && open.blocks.length === 0;
}

/** The offset of the first of `signs` outside texts, comments and brackets; the end of the text if there is none. */
export function findSign(css: string, from: number, signs: string): number {
  let depth = 0;
  for (let at = from; at < css.length; at++) {
    const sign = css[at] ?? '';
    if (depth === 0 && signs.includes(sign)) return at;
    if (sign === '\\') at += 1;
    else if (sign === '"' || sign === "'") at = endOfText(css, at);
    else if (sign === '/' && css[at + 1] === '*') at = endOfComment(css, at) - 1;
    else if (sign === '(' || sign === '[') depth += 1;
    else if ((sign === ')' || sign === ']') && depth > 0) depth -= 1;
  }
  return css.length;
}

/** A text ends at its closing quote or at the end of its line. */
function endOfText(css: string, from: number): number {
  const quote = css[from];
  for (let at = from + 1; at < css.length; at++) {
    if (css[at] === '\\') at += 1;
    else if (css[at] === quote || css[at] === '\n') return at;
  }
  return css.length;
}

function endOfComment(css: string, from: number): number {
  const end = css.indexOf('*/', from + 2);
  return end < 0 ? css.length : end + 2;
}

/** The offset of the brace that closes a block whose content begins at `from`. */
function endOfBlock(css: string, from: number): number {
  let depth = 1;
  for (let at = findSign(css, from, '{}'); at < css.length; at = findSign(css, at + 1, '{}')) {
    depth += css[at] === '{' ? 1 : -1;
    if (depth === 0) return at;
  }
  return css.length;
}

/** A text without its comments. */
export function withoutComments(css: string): string {
  let kept = '';
  for (let at = 0; at < css.length; ) {
    const begin = findComment(css, at);
    kept += css.slice(at, begin);
    at = begin < css.length ? endOfComment(css, begin) : begin;
  }
  return kept;
}

function findComment(css: string, from: number): number {
  for (let at = from; at < css.length; at++) {
    if (css[at] === '\\') at += 1;
    else if (css[at] === '"' || css[at] === "'") at = endOfText(css, at);
    else if (css[at] === '/' && css[at + 1] === '*') return at;
  }
  return css.length;
}

/** Splits a text at a sign. The parts have no comments and no surrounding space. */
export function splitAt(css: string, sign: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at <= css.length; ) {
    const end = findSign(css, at, sign);
    parts.push(withoutComments(css.slice(at, end)).trim());
    at = end + 1;
  }
  return parts;
}

/**
 * Reads a sheet.
 * @param around the Liquid blocks around the whole sheet
 */
export function readStyleSheet(css: string, words: LiquidWords, around: readonly LiquidBlock[]): StyleSheet {
  const rules: StyleRule[] = [];
  const open = new OpenBlocks(around);
  const skip = (from: number, to: number): number => {
    open.isBroken ||= !isWhole(css.slice(from, to), words);
    return to;
  };
  let at = 0;
  while (at < css.length) {
    const sign = css[at] ?? '';
    const word = words.pieceAt(css, at);
    if (/\s/.test(sign)) at += 1;
    else if (css.startsWith('/*', at)) at = skip(at, endOfComment(css, at));
    else if (css.startsWith('<!--', at)) at += 4;
    else if (css.startsWith('-->', at)) at += 3;
    else if (word?.piece.kind === 'tag') {
      open.read(word.piece.name, css.slice(at, word.end));
      at = word.end;
    } else if (sign === '@') {
      const end = findSign(css, at, '{;');
      at = skip(at, css[end] === '{' ? endOfBlock(css, end + 1) + 1 : end + 1);
    } else {
      const begin = findSign(css, at, '{');
      const end = endOfBlock(css, begin + 1);
      const [prelude, body] = [css.slice(at, begin), css.slice(begin + 1, end)];
      skip(at, begin);
      skip(begin, end);
      // Browsers read stray signs as part of the selector and drop the rule.
      if (begin < css.length && !/[};]/.test(prelude))
        rules.push({ selectors: splitAt(prelude, ','), body, blocks: [...open.blocks] });
      at = end + 1;
    }
  }
  return { rules, isUndecided: open.isBroken || open.blocks.length !== around.length };
}
