/**
 * Reads a style sheet in which Liquid is replaced by placeholders: finds its rules, and the Liquid that decides whether they apply. It recovers
 * from broken CSS as browsers do, and checks no value. Called by inline-styles.ts only.
 */
import type { SourcePiece } from './grammar.ts';

/** A rule outside of any at-rule. */
export interface MailStyleRule {
  readonly selectors: readonly string[];
  readonly body: string;
  /** The Liquid blocks around the rule, outermost first. */
  readonly blocks: readonly LiquidBlock[];
}

/** An open block of Liquid: its tags up to the current position, such as `{% if a %}{% else %}`, and the tag that closes it. */
export interface LiquidBlock {
  readonly open: string;
  readonly close: string;
}

export interface StyleSheet {
  readonly rules: readonly MailStyleRule[];
  /** Whether Liquid divides the sheet so that its rules are not known before sending. */
  readonly isUndecided: boolean;
}

const BLOCKS: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'for']);
const BRANCH_TAGS: ReadonlySet<string> = new Set(['else', 'elsif', 'when']);
/** Tags that do not change the text around them. */
const TAGS_WITHOUT_OUTPUT: ReadonlySet<string> = new Set(['assign']);

/** The blocks that are open while tags are read in order. */
export class OpenBlocks {
  blocks: LiquidBlock[];
  isBroken = false;

  constructor(open: readonly LiquidBlock[] = []) {
    this.blocks = [...open];
  }

  /** Reads a tag. `placeholder` replaces the tag in the text. */
  read(name: string, placeholder: string): void {
    const top = this.blocks.at(-1);
    if (BLOCKS.has(name)) this.blocks.push({ open: placeholder, close: `{% end${name} %}` });
    else if (BRANCH_TAGS.has(name) && top) this.blocks.splice(-1, 1, { ...top, open: top.open + placeholder });
    else if (top && top.close === `{% ${name} %}`) this.blocks.pop();
    else if (!TAGS_WITHOUT_OUTPUT.has(name)) this.isBroken = true;
  }
}

/** Finds the placeholders of Liquid in a text. */
export interface LiquidPlaceholders {
  listPieces(text: string): readonly SourcePiece[];
  /** The piece whose placeholder begins at an offset, and where the placeholder ends. */
  pieceAt(text: string, at: number): { readonly piece: SourcePiece; readonly end: number } | undefined;
}

/** Whether every block that begins in a text ends in it. */
export function hasBalancedBlocks(text: string, placeholders: LiquidPlaceholders): boolean {
  const open = new OpenBlocks();
  for (const { kind, name } of placeholders.listPieces(text)) if (kind === 'tag') open.read(name, '');
  return !open.isBroken && open.blocks.length === 0;
}

/** The offset of the first of `delimiters` outside strings, comments and brackets; the length of the sheet if there is none. */
export function findDelimiter(css: string, from: number, delimiters: string): number {
  let depth = 0;
  for (let at = from; at < css.length; at++) {
    const char = css[at] ?? '';
    if (depth === 0 && delimiters.includes(char)) return at;
    if (char === '\\') at += 1;
    else if (char === '"' || char === "'") at = endOfString(css, at);
    else if (char === '/' && css[at + 1] === '*') at = endOfComment(css, at) - 1;
    else if (char === '(' || char === '[') depth += 1;
    else if ((char === ')' || char === ']') && depth > 0) depth -= 1;
  }
  return css.length;
}

/** A string ends at its closing quote or at the end of its line. */
function endOfString(css: string, from: number): number {
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
  for (let at = findDelimiter(css, from, '{}'); at < css.length; at = findDelimiter(css, at + 1, '{}')) {
    depth += css[at] === '{' ? 1 : -1;
    if (depth === 0) return at;
  }
  return css.length;
}

/** A text without its comments. */
export function withoutComments(css: string): string {
  let result = '';
  for (let at = 0; at < css.length; ) {
    const begin = findComment(css, at);
    result += css.slice(at, begin);
    at = begin < css.length ? endOfComment(css, begin) : begin;
  }
  return result;
}

function findComment(css: string, from: number): number {
  for (let at = from; at < css.length; at++) {
    if (css[at] === '\\') at += 1;
    else if (css[at] === '"' || css[at] === "'") at = endOfString(css, at);
    else if (css[at] === '/' && css[at + 1] === '*') return at;
  }
  return css.length;
}

/** Splits a text at a delimiter. The parts have no comments and no surrounding space. */
export function splitAt(css: string, delimiter: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at <= css.length; ) {
    const end = findDelimiter(css, at, delimiter);
    parts.push(withoutComments(css.slice(at, end)).trim());
    at = end + 1;
  }
  return parts;
}

/**
 * Reads a sheet.
 * @param around the Liquid blocks around the whole sheet
 */
export function readStyleSheet(
  css: string,
  placeholders: LiquidPlaceholders,
  around: readonly LiquidBlock[],
): StyleSheet {
  const rules: MailStyleRule[] = [];
  const open = new OpenBlocks(around);
  const checkBalanced = (from: number, to: number): void => {
    open.isBroken ||= !hasBalancedBlocks(css.slice(from, to), placeholders);
  };
  const skip = (from: number, to: number): number => {
    checkBalanced(from, to);
    return to;
  };
  let at = 0;
  while (at < css.length) {
    const char = css[at] ?? '';
    const placeholder = placeholders.pieceAt(css, at);
    if (/\s/.test(char)) at += 1;
    else if (css.startsWith('/*', at)) at = skip(at, endOfComment(css, at));
    else if (css.startsWith('<!--', at)) at += 4;
    else if (css.startsWith('-->', at)) at += 3;
    else if (placeholder?.piece.kind === 'tag') {
      open.read(placeholder.piece.name, css.slice(at, placeholder.end));
      at = placeholder.end;
    } else if (char === '@') {
      const end = findDelimiter(css, at, '{;');
      at = skip(at, css[end] === '{' ? endOfBlock(css, end + 1) + 1 : end + 1);
    } else {
      const begin = findDelimiter(css, at, '{');
      const end = endOfBlock(css, begin + 1);
      const [prelude, body] = [css.slice(at, begin), css.slice(begin + 1, end)];
      checkBalanced(at, begin);
      checkBalanced(begin, end);
      // Browsers read a stray `}` or `;` as part of the selector and drop the rule, so it is dropped here, too.
      if (begin < css.length && !/[};]/.test(prelude))
        rules.push({ selectors: splitAt(prelude, ','), body, blocks: [...open.blocks] });
      at = end + 1;
    }
  }
  return { rules, isUndecided: open.isBroken || open.blocks.length !== around.length };
}
