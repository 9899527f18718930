/**
 * Inlines the CSS of a body in which Liquid is hidden. A rule inside a Liquid block is inlined together with its block. If
 * Liquid decides at sending which rules apply to an element, these rules stay in the style element. Called by compile.ts only;
 * reads no file and no network.
 */
import type juiceFunction from 'juice';
import type { SourcePiece } from './grammar.ts';
import type { HiddenLiquid } from './hidden-liquid.ts';
import { HtmlPosition } from './html-position.ts';
import {
  findDelimiter,
  hasBalancedBlocks,
  type LiquidBlock,
  type LiquidPlaceholders,
  type MailStyleRule,
  OpenBlocks,
  readStyleSheet,
  splitAt,
  withoutComments,
} from './style-sheet.ts';

/** A style element of the source. */
interface Sheet {
  readonly css: string;
  readonly at: number;
}

/** An attribute of the source. The offsets are the offsets of its value. */
interface Attribute {
  readonly element: string;
  readonly elementAt: number;
  readonly name: string;
  readonly value: string;
  readonly at: number;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The context of inlining. */
export interface InlineContext {
  readonly liquid: HiddenLiquid;
  readonly pieces: readonly SourcePiece[];
  /**
   * Whether the Liquid of a text has the same value at another place. It may have another value if it reads a name that the
   * template assigns or the variable of a loop.
   */
  isMovable(source: string): boolean;
}

type Juice = typeof juiceFunction;

const SHEET_ELEMENTS: ReadonlySet<string> = new Set(['style', 'mj-style']);

/** Returns the sheets to inline from elements of this name, and all attributes, of markup in which Liquid is hidden. */
function readMarkup(html: string, sheet: 'style' | 'mj-style'): { sheets: Sheet[]; attributes: Attribute[] } {
  const sheets: Sheet[] = [];
  const attributes: Attribute[] = [];
  let element = '';
  let elementAt = 0;
  let ownAttributes = new Map<string, string>();
  const position = new HtmlPosition({
    element(name, at) {
      [element, elementAt, ownAttributes] = [name, at, new Map()];
    },
    attribute(_element, name, value, at) {
      ownAttributes.set(name, value);
      if (!position.conditional) attributes.push({ element, elementAt, name, value, at });
    },
    ambiguous: () => undefined,
    rawText(name, text, at) {
      if (name !== sheet || position.conditional) return;
      if (name === 'mj-style' ? ownAttributes.get('inline') !== 'inline' : !isInlined(ownAttributes)) return;
      sheets.push({ css: text, at });
    },
  });
  position.feed(html, 0);
  return { sheets, attributes };
}

/** Whether a sheet is inlined. A sheet for one medium, or one with the attribute `data-embed`, stays a style element. */
function isInlined(attributes: ReadonlyMap<string, string>): boolean {
  const media = attributes.get('media')?.trim().toLowerCase() ?? 'all';
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  return !attributes.has('data-embed') && ['', 'all', 'screen'].includes(media) && ['', 'text/css'].includes(type);
}

function edit(text: string, edits: readonly Edit[]): string {
  let edited = '';
  let at = 0;
  for (const { from, to, text: by } of [...edits].sort((a, b) => a.from - b.from)) {
    edited += text.slice(at, from) + by;
    at = to;
  }
  return edited + text.slice(at);
}

function placeholdersOf({ liquid, pieces }: InlineContext): LiquidPlaceholders {
  const piecesOf = (text: string): SourcePiece[] => liquid.listPieces(text).flatMap((index) => pieces[index] ?? []);
  const word = new RegExp(`${liquid.mark.replace(/mark$/, '')}\\d+x`, 'y');
  return {
    listPieces: piecesOf,
    pieceAt(text, at) {
      word.lastIndex = at;
      const [found] = word.exec(text) ?? [];
      const [piece] = found === undefined ? [] : piecesOf(found);
      return found === undefined || piece === undefined ? undefined : { piece, end: at + found.length };
    },
  };
}

const DECLARATION = /^([-_a-z*][\w-]*)\s*:\s*(\S[\s\S]*)$/i;
/** Signs that juice would break or misread in an attribute. */
const UNSAFE_IN_ATTRIBUTE = /[&<>{}]|"[^"]*'|'[^']*"|\/\*/;

/** The declarations of a rule; undefined if Liquid makes it impossible to separate them. */
function declarationsOf(body: string, placeholders: LiquidPlaceholders): { name: string; value: string }[] | undefined {
  const declarations: { name: string; value: string }[] = [];
  for (const part of splitAt(body, ';')) {
    if (!hasBalancedBlocks(part, placeholders)) return undefined;
    const [, name = '', value = ''] = DECLARATION.exec(part) ?? [];
    if (name !== '' && placeholders.listPieces(name).length === 0) declarations.push({ name, value });
    // Every client drops text that is not a declaration, unless Liquid turns it into one.
    else if (placeholders.listPieces(part).length > 0) return undefined;
  }
  return declarations;
}

/** Whether juice reads an authored style attribute as browsers do. */
function isPlainStyle(value: string, placeholders: LiquidPlaceholders): boolean {
  if (UNSAFE_IN_ATTRIBUTE.test(value) || value.includes('\\') || findDelimiter(value, 0, '{}') < value.length)
    return false;
  const parts = splitAt(value, ';').filter((part) => part !== '');
  const declarations = declarationsOf(value, placeholders);
  return parts.length > 0 && declarations?.length === parts.length;
}

const isImportant = (value: string): boolean => /!\s*important\b/i.test(value);

/** Converts text of a style element for a style attribute in double quotes. */
const forAttribute = (css: string): string =>
  withoutComments(css).replace(/\s+/g, ' ').trim().replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The declarations of a rule for juice; undefined if they depend on data that is known only at sending. */
function inlinedBody(
  { body, blocks }: MailStyleRule,
  placeholders: LiquidPlaceholders,
  context: InlineContext,
): string | undefined {
  const { liquid } = context;
  if (findDelimiter(body, 0, '{}') < body.length) return undefined;
  const open = blocks.map((block) => block.open).join('');
  const close = blocks
    .map((block) => block.close)
    .reverse()
    .join('');
  if (!context.isMovable(liquid.restore(open + body + close))) return undefined;
  const declarations = declarationsOf(body, placeholders);
  if (declarations && blocks.length === 0) {
    return declarations
      .map(({ name, value }) => {
        const rank = isImportant(value) ? ' !important' : '';
        const plainValue = value.replace(/\s*!\s*important\b/i, '').trim();
        if (!UNSAFE_IN_ATTRIBUTE.test(plainValue)) return `${name}:${plainValue}${rank};`;
        return `${liquid.hideDeclarations(`${name}: ${forAttribute(plainValue)};`, 'rule')}${rank};`;
      })
      .join('');
  }
  const [important, plain] = declarations
    ? [declarations.filter(({ value }) => isImportant(value)), declarations.filter(({ value }) => !isImportant(value))]
    : [[], undefined];
  // Important declarations cannot be separated from others if the declarations cannot be separated at all.
  if (plain === undefined && isImportant(body)) return undefined;
  const hide = (css: string, rank: string): string => {
    const text = `${open}${forAttribute(css).replace(/[^;]$/, '$&;')}${close}`;
    return `${liquid.hideDeclarations(text, 'rule')}${rank};`;
  };
  const join = (declarationList: typeof declarations): string =>
    (declarationList ?? []).map(({ name, value }) => `${name}: ${value};`).join(' ');
  if (plain === undefined) return hide(body, '');
  return (
    (plain.length > 0 ? hide(join(plain), '') : '') + (important.length > 0 ? hide(join(important), ' !important') : '')
  );
}

/** Pseudo-classes of a state, which a style attribute cannot express, and pseudo-elements. */
const STATE =
  /:(?:hover|active|focus[\w-]*|visited|link|any-link|target|checked|enabled|disabled)\b|::|:(?:before|after|first-line|first-letter)\b/i;
/** Selectors that depend on the number or the neighbours of elements. */
const STRUCTURE = /:(?:nth-|first-|last-|only-|empty|has\(|root)|[+~](?![^[]*\])/i;

/** Returns a selector that matches every element that the given selector could match with any output of its Liquid. */
function widenSelector(selector: string, placeholders: LiquidPlaceholders): string {
  let begin = 0;
  for (let at = findDelimiter(selector, 0, ' >+~\t\n\r\f'); at < selector.length; ) {
    begin = at + 1;
    at = findDelimiter(selector, begin, ' >+~\t\n\r\f');
  }
  const last = selector.slice(begin);
  const [plain = ''] = /^[^:]*/.exec(last) ?? [];
  return plain === '' || placeholders.listPieces(last).length > 0 || /\\/.test(plain) ? '*' : plain;
}

/** Whether a selector reads an attribute. */
function readsAttribute(selector: string, attribute: string): boolean {
  const sign = attribute === 'class' ? '.' : attribute === 'id' ? '#' : undefined;
  return (sign !== undefined && selector.includes(sign)) || selector.toLowerCase().includes(`[${attribute}`);
}

/** Inlines the style sheets of a body. */
export function inlineStyles(html: string, juice: Juice, context: InlineContext): string {
  const { sheets, attributes } = readMarkup(html, 'style');
  return inlineSheets(html, sheets, attributes, juice, context).html;
}

/**
 * Inlines the sheets taken from an MJML source into the HTML made from it. Returns undefined if Liquid decides which
 * rules apply, because MJML keeps no style element for such rules.
 */
export function inlineMjmlStyles(
  html: string,
  sheets: readonly Sheet[],
  juice: Juice,
  context: InlineContext,
): string | undefined {
  const { html: inlined, isWhole: all } = inlineSheets(
    html,
    sheets,
    readMarkup(html, 'style').attributes,
    juice,
    context,
  );
  return all ? inlined : undefined;
}

/** Removes the sheets to inline from an MJML source, because MJML would inline them without regard to Liquid. */
export function takeMjmlSheets(mjml: string): { readonly mjml: string; readonly sheets: readonly Sheet[] } {
  const { sheets } = readMarkup(mjml, 'mj-style');
  const lines = (css: string): string => css.replace(/[^\n]+/g, '');
  return {
    mjml: edit(
      mjml,
      sheets.map(({ css, at }) => ({ from: at, to: at + css.length, text: lines(css) })),
    ),
    sheets,
  };
}

function inlineSheets(
  html: string,
  sheets: readonly Sheet[],
  attributes: readonly Attribute[],
  juice: Juice,
  context: InlineContext,
): { readonly html: string; readonly isWhole: boolean } {
  const { liquid } = context;
  const placeholders = placeholdersOf(context);
  const keepDeclaration = `--${liquid.mark}hold:1;`;
  const keptMark = `data-${liquid.mark}`;
  const styleSheets = sheets.map(({ css, at }) => readStyleSheet(css, placeholders, blocksAt(at, context)));
  if (styleSheets.some(({ isUndecided }) => isUndecided)) return { html, isWhole: false };
  const hasBlocks = context.pieces.some(({ kind, name }) => kind === 'tag' && name.startsWith('end'));
  const usedSelectors: string[] = [];
  const css: string[] = [];
  let keepsRules = false;
  const keepInSheet = (selector: string): void => {
    css.push(`${selector}{${keepDeclaration}}`);
    keepsRules = true;
  };
  for (const rule of styleSheets.flatMap(({ rules }) => rules)) {
    const body = inlinedBody(rule, placeholders, context);
    for (const selector of rule.selectors) {
      if (STATE.test(selector)) continue;
      const isOpen = placeholders.listPieces(selector).length > 0 || (hasBlocks && STRUCTURE.test(selector));
      if (isOpen || body === undefined) keepInSheet(isOpen ? widenSelector(selector, placeholders) : selector);
      else if (body !== '') css.push(`${selector}{${body}}`);
      usedSelectors.push(selector);
    }
  }
  if (css.length === 0) return { html, isWhole: true };
  const dynamic = attributes.filter(
    ({ name, value, element }) =>
      name !== 'style' &&
      !SHEET_ELEMENTS.has(element) &&
      placeholders.listPieces(value).length > 0 &&
      usedSelectors.some((selector) => readsAttribute(selector, name)),
  );
  const edits: Edit[] = [...new Map(dynamic.map((one) => [one.elementAt, one])).values()].map(
    ({ element, elementAt }) => {
      const from = elementAt + 1 + element.length;
      return { from, to: from, text: ` ${keptMark}="1"` };
    },
  );
  if (edits.length > 0) {
    keepInSheet(`[${keptMark}]`);
    keepInSheet(`[${keptMark}] *`);
    if (usedSelectors.some((selector) => STRUCTURE.test(selector)))
      for (const combinator of ['~ *', '~ * *']) keepInSheet(`[${keptMark}] ${combinator}`);
  }
  for (const { name, value, at } of attributes) {
    if (name !== 'style' || (!keepsRules && isPlainStyle(value, placeholders))) continue;
    edits.push({
      from: at,
      to: at + value.length,
      text: liquid.hideDeclarations(value.replaceAll('"', '&quot;'), 'attribute'),
    });
  }
  const inlined = juice(edit(html, edits), {
    ...{ applyStyleTags: false, removeStyleTags: false, extraCss: css.join('\n'), insertPreservedExtraCss: false },
    ...{ resolveCSSVariables: false, inlinePseudoElements: false },
  });
  return { html: keepsRules ? restoreAuthoredStyles(inlined, context, keptMark) : inlined, isWhole: !keepsRules };
}

/** The Liquid blocks that are open at an offset of the text with hidden Liquid. */
function blocksAt(at: number, { liquid, pieces }: InlineContext): readonly LiquidBlock[] {
  const open = new OpenBlocks();
  for (const index of liquid.listPieces(liquid.text.slice(0, at))) {
    const piece = pieces[index];
    if (piece?.kind === 'tag') open.read(piece.name, piece.text);
  }
  return open.blocks;
}

/** Restores the authored style of elements that keep their rules in a style element. */
function restoreAuthoredStyles(html: string, { liquid }: InlineContext, held: string): string {
  const edits: Edit[] = [];
  const position = new HtmlPosition({
    element: () => undefined,
    ambiguous: () => undefined,
    attribute(_element, name, value, at) {
      if (name === held) edits.push({ from: at - ` ${held}="`.length, to: at + value.length + 1, text: '' });
      if (name !== 'style' || !value.includes(`--${liquid.mark}hold`)) return;
      const authored = liquid.authoredStyle(value);
      if (authored === undefined) edits.push({ from: at - ' style="'.length, to: at + value.length + 1, text: '' });
      else edits.push({ from: at, to: at + value.length, text: liquid.hideDeclarations(authored, 'attribute') });
    },
  });
  position.feed(html, 0);
  return edit(html, edits);
}
