/**
 * Derives the text part of a mail from its compiled HTML, with the Liquid kept in its order. Called by compile.ts only,
 * which checks the result by the same rules as an author's own text.
 */
import type { Piece } from './grammar.ts';
import type { HiddenLiquid } from './hidden-liquid.ts';
import { optionalPackage } from './optional-package.ts';

const HIDDEN = ['[style*="display:none"]', '[style*="display: none"]', 'img', 'style', 'title'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Turns HTML with hidden Liquid into a Liquid source of plain text. */
export async function deriveText(
  html: string,
  liquid: HiddenLiquid,
  pieces: readonly Piece[],
  step: (step: 'loading' | 'text') => void,
): Promise<string> {
  step('loading');
  const { convert } = await optionalPackage('html-to-text', () => import('html-to-text'));
  step('text');
  const text = convert(html, {
    wordwrap: false,
    formatters: {
      // Cells of a row stand beside each other; html-to-text would join their words.
      cell: (element, walk, builder) => {
        walk(element.children, builder);
        builder.addInline(' ');
      },
    },
    limits: { maxDepth: 200, maxInputLength: html.length },
    selectors: [
      ...HIDDEN.map((selector) => ({ selector, format: 'skip' })),
      ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'tr', format: 'block' },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: [' (', ')'] as [string, string] } },
    ],
  });
  const kept = new Set(liquid.listPieces(text));
  // An assignment in the head or in a hidden element is still needed by later Liquid.
  const lost = pieces.filter(({ name }, index) => name === 'assign' && !kept.has(index));
  const lines = liquid.restore(text).split('\n').map(trimTagLine);
  const body = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return lost.map((piece) => piece.text).join('') + body;
}

/** A tag alone on its line also removes the line break before it, so that it leaves no empty line in the mail. */
function trimTagLine(line: string): string {
  const [, tags] = /^\s*((?:\{%(?:(?!%\}).)*%\}\s*)+)$/.exec(line) ?? [];
  return tags ? tags.trim().replace(/^\{%-?/, '{%-') : line.trimEnd();
}
