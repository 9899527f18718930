/**
 * Splits a layout at its one `{% content %}` and puts the parts around a body. Maps lines of the combined source back to the
 * body or the layout. Called by compile.ts and, for contracts of drafts, by contents.ts; it compiles nothing.
 */
import { templateFault } from './fault.ts';
import { parseSource, type SourcePiece, splitSource } from './grammar.ts';
import { HtmlPosition } from './html-position.ts';
import type { MarkupListener } from './markup-listener.ts';
import { createLineFinder } from './syntax.ts';

/** The language around the tag; `plain` is the language of text parts. */
export type LayoutKind = 'mjml' | 'html' | 'plain';

/** A layout's source, cut at its tag. */
export interface LayoutParts {
  readonly before: string;
  /** The tag as written: it may span several lines. */
  readonly tag: string;
  readonly after: string;
  /** A short sample that can replace the tag, used to check and show a layout. */
  readonly sample: string;
}

const SAMPLE_WORDS = 'The body of a template stands here.';
const TEXT = `<mj-text>${SAMPLE_WORDS}</mj-text>`;
const COLUMN = `<mj-column>${TEXT}</mj-column>`;
const SECTION = `<mj-section>${COLUMN}</mj-section>`;
const PARAGRAPH = `<p>${SAMPLE_WORDS}</p>`;

/** A sample for each element of MJML that may contain a body; no other element may. */
const SAMPLES: ReadonlyMap<string, string> = new Map([
  ['mj-body', SECTION],
  ['mj-wrapper', SECTION],
  ['mj-section', COLUMN],
  ['mj-group', COLUMN],
  ['mj-column', TEXT],
  ['mj-hero', TEXT],
  ['mj-text', PARAGRAPH],
  ['mj-raw', PARAGRAPH],
]);

const BLOCKS: ReadonlySet<string> = new Set(['if', 'unless', 'for', 'case', 'capture']);

/**
 * Cuts a layout's source at its tag.
 * @throws TemplateFault if there is no tag, more than one tag, or a tag in a place where a body is not allowed
 */
export function splitLayout(source: string, kind: LayoutKind): LayoutParts {
  parseSource(source);
  const lineOf = createLineFinder(source);
  const pieces = splitSource(source);
  const misplaced = (message: string, at: number) => templateFault('content_misplaced', message, lineOf(at));
  const tags = pieces.flatMap((piece, index) => (isContent(piece) ? [{ piece, index }] : []));
  const [first, second] = tags;
  if (!first) {
    throw templateFault('content_misplaced', 'A layout needs `{% content %}` once, at the place of the body.');
  }
  if (second) throw misplaced('A layout has `{% content %}` only once.', second.piece.at);
  const { piece, index } = first;
  if (openBlocks(pieces.slice(0, index)) > 0) {
    throw misplaced('`{% content %}` must be outside of `if`, `for` and other blocks.', piece.at);
  }
  const sample = kind === 'plain' ? SAMPLE_WORDS : sampleAt(pieces.slice(0, index), kind);
  if (sample === undefined) {
    const places = kind === 'mjml' ? `directly inside ${[...SAMPLES.keys()].join(', ')}` : 'in text, between elements';
    throw misplaced(`\`{% content %}\` stands ${places}.`, piece.at);
  }
  const end = piece.at + piece.text.length;
  return { before: source.slice(0, piece.at), tag: piece.text, after: source.slice(end), sample };
}

const isContent = ({ kind, name }: SourcePiece): boolean => kind === 'tag' && name === 'content';

function openBlocks(pieces: readonly SourcePiece[]): number {
  let open = 0;
  for (const { kind, name } of pieces) {
    if (kind !== 'tag') continue;
    if (BLOCKS.has(name)) open += 1;
    else if (name.startsWith('end') && BLOCKS.has(name.slice(3))) open -= 1;
  }
  return open;
}

function sampleAt(before: readonly SourcePiece[], kind: 'mjml' | 'html'): string | undefined {
  const position = new HtmlPosition(SILENT);
  for (const { kind: of, text, at } of before) {
    if (of === 'text') position.feed(text, at);
    else if (of === 'output') position.gap();
  }
  if (position.context?.kind !== 'text') return undefined;
  if (kind === 'html') return PARAGRAPH;
  return SAMPLES.get(position.stack.findLast(({ name }) => name.startsWith('mj'))?.name ?? '');
}

const SILENT: MarkupListener = {
  element: () => undefined,
  attribute: () => undefined,
  ambiguous: () => undefined,
};

/** Puts the layout around a body. */
export const composeLayout = ({ before, after }: LayoutParts, body: string): string => before + body + after;

const linesIn = (text: string): number => text.split('\n').length - 1;

/** Maps a line (from 1) of the combined source to a line of the body, of the layout, or of both. */
export function originOf(
  { before, tag }: LayoutParts,
  body: string,
  line: number,
): { readonly body: number | undefined; readonly layout: number | undefined } {
  const first = linesIn(before) + 1;
  const last = first + linesIn(body);
  const lineAfterBody = line - linesIn(body) + linesIn(tag);
  const layoutLine = line <= first ? line : line >= last ? lineAfterBody : undefined;
  return { body: line < first || line > last ? undefined : line - first + 1, layout: layoutLine };
}

const DOCUMENT: ReadonlySet<string> = new Set(['mjml', 'mj-head', 'mj-body', 'html', 'head', 'body']);

/**
 * Markup rules that also report the elements of a whole document: with a layout, a body is only the part at the tag.
 */
export function fragmentRules(rules: MarkupListener, report: (message: string, at: number) => void): MarkupListener {
  let reported = false;
  return {
    ...rules,
    element(name, at, depth, isConditional) {
      if (DOCUMENT.has(name) && !reported) {
        reported = true;
        const fragmentAdvice = 'With a layout, the body is the part at `{% content %}`, not a whole document';
        report(
          `${fragmentAdvice}: remove \`<${name}>\` and everything else that surrounds the content, or remove the layout.`,
          at,
        );
      }
      rules.element(name, at, depth, isConditional);
    },
  };
}
