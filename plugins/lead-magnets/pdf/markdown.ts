// Converts the tree of a text to blocks and spans for painting. Pictures are replaced by their alternative text.
import type { TextElement, TextNode } from '../../../core/unstable.ts';

/** Text in one style. */
export interface TextSpan {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly code: boolean;
  /** Undefined if the text is not a link. */
  readonly href: string | undefined;
}

export interface ListItem {
  readonly blocks: readonly PdfBlock[];
  /** Whether its box is ticked; undefined for an item without a box. */
  readonly checked: boolean | undefined;
}

export type PdfBlock =
  | { readonly kind: 'paragraph'; readonly spans: readonly TextSpan[] }
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly TextSpan[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly PdfBlock[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly ListItem[] }
  /** The first row is the header. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly TextSpan[])[])[] }
  | { readonly kind: 'rule' };

type SpanStyle = Omit<TextSpan, 'text'>;
export const plainStyle: SpanStyle = { bold: false, italic: false, code: false, href: undefined };

const isSafe = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

function styleIn(node: TextElement, style: SpanStyle): SpanStyle {
  switch (node.name) {
    case 'strong':
    case 'th':
      return { ...style, bold: true };
    case 'em':
      return { ...style, italic: true };
    case 'code':
      return { ...style, code: true };
    case 'a':
      return isSafe(node.attributes['href'] ?? '') ? { ...style, href: node.attributes['href'] } : style;
    default:
      return style;
  }
}

function spansOf(nodes: readonly TextNode[], style: SpanStyle): TextSpan[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [{ ...style, text: style.code ? node : node.replace(/[ \t\r\n]+/g, ' ') }];
    if (node.name === 'br') return [{ ...style, text: '\n' }];
    if (node.name === 'img') return [{ ...style, italic: true, text: node.attributes['alt'] ?? '' }];
    // On paper, the links back from footnotes are useless.
    const isLeftOut = node.name === 'box' || node.attributes['class'] === 'back';
    return isLeftOut ? [] : spansOf(node.children, styleIn(node, style));
  });
}

const inlineNames = new Set(['strong', 'em', 'code', 'a', 'br', 'img', 'del', 'box', 'sup']);
const isInline = (node: TextNode): boolean => typeof node === 'string' || inlineNames.has(node.name);
const textOf = (nodes: readonly TextNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');

/** Whether the tick box at the beginning of the nodes is ticked; undefined if there is none. */
function boxOf(nodes: readonly TextNode[]): boolean | undefined {
  const [first] = nodes.filter((node) => typeof node !== 'string' || node.trim() !== '');
  if (first === undefined || typeof first === 'string') return undefined;
  if (first.name === 'box') return 'checked' in first.attributes;
  return first.name === 'p' ? boxOf(first.children) : undefined;
}

/** The cells of each row of a table. */
const rowsOf = (node: TextElement): TextSpan[][][] =>
  node.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    if (child.name !== 'tr') return rowsOf(child);
    const cells = child.children.filter((cell) => typeof cell !== 'string');
    return [cells.map((cell) => spansOf([cell], plainStyle))];
  });

function blockOf(node: TextElement): PdfBlock[] {
  const heading = /^h([1-6])$/.exec(node.name);
  if (heading !== null)
    return [{ kind: 'heading', level: Number(heading[1]), spans: spansOf(node.children, plainStyle) }];
  switch (node.name) {
    case 'p':
      return [{ kind: 'paragraph', spans: spansOf(node.children, plainStyle) }];
    case 'pre':
      return [{ kind: 'code', text: textOf(node.children).replace(/\n$/, '') }];
    case 'blockquote':
      return [{ kind: 'quote', blocks: blocksOf(node.children) }];
    case 'section':
      // The footnotes. Their heading is only for screen readers of web pages.
      return [{ kind: 'rule' }, ...blocksOf(node.children.slice(1))];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'table':
      return [{ kind: 'table', rows: rowsOf(node) }];
    case 'ul':
    case 'ol': {
      const items = node.children.filter(
        (child): child is TextElement => typeof child !== 'string' && child.name === 'li',
      );
      const start = node.name === 'ol' ? Number(node.attributes['start'] ?? 1) : undefined;
      return [
        {
          kind: 'list',
          start,
          items: items.map((item) => ({ blocks: blocksOf(item.children), checked: boxOf(item.children) })),
        },
      ];
    }
    default:
      return blocksOf(node.children);
  }
}

/** Converts nodes to blocks. Loose text between blocks, as in tight lists, becomes a paragraph. */
function blocksOf(nodes: readonly TextNode[]): PdfBlock[] {
  const blocks: PdfBlock[] = [];
  let loose: TextNode[] = [];
  const endLoose = () => {
    const spans = spansOf(loose, plainStyle);
    if (spans.some(({ text }) => text.trim() !== '')) blocks.push({ kind: 'paragraph', spans });
    loose = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string' || isInline(node)) loose.push(node);
    else {
      endLoose();
      blocks.push(...blockOf(node));
    }
  }
  endLoose();
  return blocks;
}

/** The blocks of a parsed text. */
export const blocksIn = (nodes: readonly TextNode[]): readonly PdfBlock[] => blocksOf(nodes);

/** Gives the items of every bullet list a box, for checklists. */
export const withBoxes = (blocks: readonly PdfBlock[]): readonly PdfBlock[] =>
  blocks.map((block) => {
    if (block.kind === 'quote') return { ...block, blocks: withBoxes(block.blocks) };
    if (block.kind !== 'list') return block;
    const unticked = block.start === undefined ? false : undefined;
    const items = block.items.map((item) => ({
      blocks: withBoxes(item.blocks),
      checked: item.checked ?? unticked,
    }));
    return { ...block, items };
  });
