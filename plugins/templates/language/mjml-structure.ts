/**
 * Finds Liquid between MJML's elements, which MJML itself would silently drop. compile.ts asks it which tags to wrap in
 * `mj-raw`. Liquid that cannot survive the compiler is reported instead.
 */
import type { SourcePiece } from './grammar.ts';
import { HtmlPosition } from './html-position.ts';
import type { OpenElement } from './markup-listener.ts';
import type { ReportFault } from './markup-rules.ts';
import { attributeFault, elementFault, isFixedAttribute } from './mjml-attributes.ts';

/** MJML's elements with text content. Inside them Liquid is treated like any other text. */
const CONTENT_ELEMENTS: ReadonlySet<string> = new Set([
  ...[
    'mj-accordion-text',
    'mj-accordion-title',
    'mj-button',
    'mj-navbar-link',
    'mj-preview',
    'mj-raw',
    'mj-html-attribute',
  ],
  ...['mj-social-element', 'mj-table', 'mj-text', 'mj-title', 'mj-style', 'mj-carousel-image', 'mj-image', 'mj-spacer'],
]);

/** All elements of MJML 5. */
const MJML_ELEMENTS: ReadonlySet<string> = new Set([
  ...CONTENT_ELEMENTS,
  ...['mj-accordion', 'mj-accordion-element', 'mj-all', 'mj-attributes', 'mj-body', 'mj-breakpoint', 'mj-carousel'],
  ...['mj-class', 'mj-column', 'mj-divider', 'mj-font', 'mj-group', 'mj-head', 'mj-hero', 'mj-html-attributes'],
  ...['mj-include', 'mj-navbar', 'mj-section', 'mj-selector', 'mj-social', 'mj-wrapper'],
]);

/** Elements that cannot keep Liquid between their children. */
const CLOSED_ELEMENTS: ReadonlySet<string> = new Set([
  ...['', 'mjml', 'mj-attributes', 'mj-html-attributes', 'mj-selector', 'mj-carousel'],
]);

/** Elements whose content is HTML. MJML does not read its own tags in there. */
const HTML_ELEMENTS: ReadonlySet<string> = new Set([
  ...['mj-accordion-text', 'mj-accordion-title', 'mj-button', 'mj-navbar-link', 'mj-raw', 'mj-social-element'],
  ...['mj-table', 'mj-text'],
]);

const insideHtml = (name: string, parentElement: string): string =>
  `\`<${name}>\` has no meaning inside \`${parentElement}\`, which holds HTML.${name === 'mj-raw' ? ' Remove the tags: Liquid does not need them there.' : ''}`;

export interface MjmlStructure {
  /** Indexes of the pieces between elements that need `mj-raw`. */
  wrapped: Set<number>;
}

/** Reads the structure of a body that has been cut into pieces. */
export function readMjmlStructure(pieces: readonly SourcePiece[], report: ReportFault): MjmlStructure {
  const structure: MjmlStructure = { wrapped: new Set() };
  const blocks: { name: string; parent: OpenElement | undefined; at: number }[] = [];
  const nestedFaults: { readonly message: string; readonly at: number }[] = [];
  let isOpen = false;
  const position = new HtmlPosition({
    element(name, at) {
      const parentElement = position.stack.find((open) => HTML_ELEMENTS.has(open.name))?.name;
      const fault = elementFault(name);
      if (fault !== undefined) report('markup_unsafe', fault, at);
      else if (parentElement !== undefined && name.startsWith('mj-'))
        nestedFaults.push({ message: insideHtml(name, parentElement), at });
    },
    attribute(element, name, value, at) {
      const fault = attributeFault(element, name, value);
      if (fault !== undefined) report('markup_unsafe', fault, at);
    },
    ambiguous() {
      return undefined;
    },
    text: (text, at) => {
      if (/\S/.test(text) && !inContent(position) && !inUnknown(position)) {
        const offset = at + text.search(/\S/);
        report('markup_unsafe', 'MJML drops text between its elements: put it into `mj-text` or `mj-raw`.', offset);
      }
    },
    unclosed: (name, at) => {
      if (!name.startsWith('mj')) return;
      isOpen = true;
      report('markup_unsafe', `\`<${name}>\` is not closed.`, at);
    },
  });

  function readTag(piece: SourcePiece, index: number): void {
    const parent = position.stack.at(-1);
    if (CLOSED_ELEMENTS.has(parent?.name ?? '')) {
      const where = parent ? `directly inside \`${parent.name}\`` : 'outside of `mjml`';
      report('liquid_position', `Liquid is not allowed ${where}.`, piece.at);
      return;
    }
    structure.wrapped.add(index);
    const isEnd = piece.name.startsWith('end');
    const isMiddle = ['else', 'elsif', 'when'].includes(piece.name);
    const block = isEnd ? blocks.pop() : blocks.at(-1);
    if ((isEnd || isMiddle) && block && block.parent !== parent) {
      report('block_position', `\`${block.name}\` must begin and end inside the same element.`, block.at);
    }
  }

  let reported = '';
  function checkAttribute({ at }: SourcePiece): void {
    const { kind, element, attribute } = position.context ?? {};
    if (kind !== 'value' || !element || !attribute || !isFixedAttribute(element, attribute)) return;
    const where = `${element} ${attribute} ${position.openedAt}`;
    if (where === reported) return;
    reported = where;
    const message = `\`${attribute}\` of \`${element}\` must not contain Liquid: MJML evaluates it when the template is published. To vary it, put \`{% if %}\` around the element.`;
    report('liquid_position', message, at);
  }

  pieces.forEach((piece, index) => {
    if (piece.kind === 'text') {
      reported = position.context?.kind === 'value' ? reported : '';
      position.feed(piece.text, piece.at);
      return;
    }
    checkAttribute(piece);
    const between = position.context?.kind === 'text' && !inContent(position);
    if (BLOCK_TAGS.has(piece.name)) blocks.push({ name: piece.name, parent: position.stack.at(-1), at: piece.at });
    if (between && piece.kind === 'tag') readTag(piece, index);
    else if (between && !inUnknown(position))
      report('liquid_position', 'Put the placeholder inside `mj-text` or another element with text.', piece.at);
    else if (piece.name.startsWith('end')) blocks.pop();
    if (piece.kind === 'output') position.gap();
  });
  const open = position.stack.find(({ name }) => name.startsWith('mj'));
  if (open) report('markup_unsafe', `\`<${open.name}>\` is not closed.`, open.at);
  // Inside an element that is not closed, everything counts as nested.
  else if (!isOpen) for (const { message, at } of nestedFaults) report('markup_unsafe', message, at);
  return structure;
}

const BLOCK_TAGS: ReadonlySet<string> = new Set(['if', 'unless', 'for', 'case', 'capture', 'raw']);

/**
 * Whether the position is inside an element that MJML does not know. MJML reports that element itself, so its content
 * is not a second fault.
 */
function inUnknown({ stack }: HtmlPosition): boolean {
  return stack.some(({ name }) => name.startsWith('mj-') && !MJML_ELEMENTS.has(name));
}

function inContent(position: HtmlPosition): boolean {
  return position.stack.some(({ name }) => CONTENT_ELEMENTS.has(name));
}
