/**
 * Derives the text part of a mail from its compiled HTML: a Liquid source with marks (text-marks.ts) that are laid out
 * after rendering. Called by compile.ts only, which checks the result by the same rules as an author's own text.
 */
import type { DomNode } from 'html-to-text';
import type { SourcePiece } from './grammar.ts';
import type { HiddenLiquid } from './hidden-liquid.ts';
import { optionalPackage } from './optional-package.ts';
import { MARKS } from './text-marks.ts';

/** Elements without any text for readers. */
const SILENT: ReadonlySet<string> = new Set([
  'head',
  'script',
  'style',
  'title',
  'template',
  'wbr',
  'map',
  'video',
  'audio',
]);
const LINES: ReadonlySet<string> = new Set([
  ...[
    'address',
    'article',
    'aside',
    'body',
    'center',
    'dd',
    'details',
    'div',
    'dt',
    'fieldset',
    'figcaption',
    'footer',
  ],
  ...['header', 'html', 'legend', 'main', 'nav', 'section', 'summary', 'caption'],
]);
const PARAGRAPHS: ReadonlySet<string> = new Set([
  ...['dl', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'table'],
]);
const RULE = '-'.repeat(40);

/** Styles that authors use to hide text, such as a preheader. */
const HIDDEN =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|max-height\s*:\s*0(?:px|em|%)?\s*(?:;|!|$))/i;

/** Invisible characters that fill up a preheader. Single joiners are kept, because they belong to words and emoji. */
const FILLERS =
  /[\u034f\u200b\u2060\ufeff\u00ad]+|(?:\u200c|\u200d|\u00a0| ){2,}(?=[\u034f\u200b-\u200d\u2060\ufeff\u00a0]|$)/g;

interface Walk {
  readonly liquid: HiddenLiquid;
  /** Inside `pre`, where space is kept. */
  readonly isPre: boolean;
}

const attribute = ({ attribs }: DomNode, name: string): string => attribs?.[name]?.trim() ?? '';

const isHidden = (node: DomNode): boolean =>
  node.attribs !== undefined && (Object.hasOwn(node.attribs, 'hidden') || HIDDEN.test(node.attribs['style'] ?? ''));

const textOf = (data: string, { isPre }: Walk): string => {
  const text = data.replace(FILLERS, ' ');
  if (!isPre) return text.replace(/[ \t\r\n\f\u00a0]+/g, ' ');
  return text.replace(/\r?\n/g, MARKS.break).replace(/[ \t\u00a0]/g, MARKS.space);
};

const walkAll = (nodes: readonly DomNode[] | undefined, walk: Walk): string =>
  (nodes ?? []).map((node) => walkNode(node, walk)).join('');

/** The text of a link: its words, and its address unless the words are the address. */
function linkOf(node: DomNode, walk: Walk): string {
  const linkText = walkAll(node.children, walk);
  const href = attribute(node, 'href');
  const scheme = /^(?:mailto|tel|sms):/i.exec(href)?.[0] ?? '';
  const address = scheme === '' ? href : (href.slice(scheme.length).split('?')[0] ?? '');
  if (address === '' || address.startsWith('#')) return linkText;
  const comparable = (text: string): string =>
    walk.liquid
      .restore(text)
      .replace(/[\ufdd0-\ufdd9]/g, '')
      .replace(/^\s*(?:https?:\/\/)?(?:www\.)?|\/?\s*$/gi, '');
  const digits = (text: string): string => text.replace(/[^\d+]/g, '');
  const comparableText = comparable(linkText);
  if (comparableText.trim() === '') return MARKS.cell + address + MARKS.cell;
  const isAddressInText =
    comparableText === comparable(address) ||
    (scheme !== '' && digits(comparableText) !== '' && digits(comparableText) === digits(address));
  return isAddressInText ? linkText : `${linkText.trimEnd()} (${address})${/\s$/.test(linkText) ? ' ' : ''}`;
}

const isLayoutRow = ({ children }: DomNode): boolean =>
  (children ?? []).filter(({ name }) => name === 'td' || name === 'th').length < 2;

function walkNode(node: DomNode, walk: Walk): string {
  if (node.type === 'text') return textOf(node.data ?? '', walk);
  const { name = '', children } = node;
  if (node.type === 'comment' || node.type === 'directive' || SILENT.has(name) || isHidden(node)) return '';
  const inside = (begin: string, end: string, inner: Walk = walk): string => begin + walkAll(children, inner) + end;
  if (LINES.has(name)) return inside(MARKS.line, MARKS.line);
  if (PARAGRAPHS.has(name)) return inside(MARKS.paragraph, MARKS.paragraph);
  switch (name) {
    case 'br':
      return MARKS.break;
    case 'hr':
      return MARKS.paragraph + RULE + MARKS.paragraph;
    case 'img':
      return MARKS.cell + textOf(attribute(node, 'alt'), walk) + MARKS.cell;
    case 'a':
      return linkOf(node, walk);
    case 'ul':
      return inside(MARKS.bullets, MARKS.end);
    case 'ol':
      return inside(`${MARKS.numbers}${attribute(node, 'start')};`, MARKS.end);
    case 'li':
      return inside(MARKS.item, MARKS.line);
    case 'blockquote':
      return inside(MARKS.quote, MARKS.end);
    case 'pre':
      return inside(MARKS.paragraph, MARKS.paragraph, { ...walk, isPre: true });
    case 'tr':
      return isLayoutRow(node) ? inside(MARKS.paragraph, MARKS.paragraph) : inside(MARKS.line, MARKS.line);
    case 'td':
    case 'th':
      return inside(MARKS.cell, MARKS.cell);
    default:
      return walkAll(children, walk);
  }
}

/** Turns HTML with hidden Liquid into a Liquid source of plain text. */
export async function deriveText(
  html: string,
  liquid: HiddenLiquid,
  pieces: readonly SourcePiece[],
  step: (step: 'loading' | 'text') => void,
): Promise<string> {
  step('loading');
  const { convert } = await optionalPackage('html-to-text', () => import('html-to-text'));
  step('text');
  // The package only parses the HTML. It cannot lay the text out, because the final text is known only at sending.
  let text = '';
  const collectText = (node: DomNode): void => {
    text += walkNode(node, { liquid, isPre: false });
  };
  convert(`<mail-root>${html}</mail-root>`, {
    formatters: { gather: collectText },
    limits: { maxDepth: 200, maxInputLength: html.length + 100 },
    baseElements: { selectors: ['mail-root'] },
    selectors: [{ selector: '*', format: 'gather' }],
  });
  const keptPieces = new Set(liquid.listPieces(text));
  // Assignments in the head and in hidden elements are added, because later Liquid needs them.
  const lostAssignments = pieces.filter(({ name }, index) => name === 'assign' && !keptPieces.has(index));
  // Braces that the HTML shows as text must not become Liquid.
  const escapedText = text.replace(/\{(?=[{%])/g, "{{ '{' }}");
  // With the line mark, the text is always recognised as a derived text and laid out.
  return lostAssignments.map((piece) => piece.text).join('') + MARKS.line + liquid.restore(escapedText);
}
