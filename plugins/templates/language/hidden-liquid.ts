/**
 * Hides Liquid from markup compilers: every tag and placeholder becomes one word of letters and digits. The word passes
 * unchanged through MJML, juice and html-to-text, and is replaced by its Liquid afterwards.
 */
import type { SourcePiece } from './grammar.ts';
import { createLineFinder } from './syntax.ts';

export interface HiddenLiquid {
  /** The source with words in place of Liquid. */
  readonly text: string;
  /** Returns the source line of a line (from 1) in the text. */
  sourceLine(line: number): number;
  /** Whether a text contains a hidden piece of Liquid. */
  isHidden(text: string): boolean;
  /** Puts the Liquid back. */
  restore(text: string): string;
  /** The indexes of the pieces hidden in a text, in order. */
  listPieces(text: string): number[];
  /** A word that the source does not contain, for the caller's own marks. */
  readonly mark: string;
  /**
   * Hides CSS declarations that may contain hidden Liquid: one declaration of a custom property replaces them.
   * @param origin `attribute` for the authored value of a style attribute, `rule` for the declarations of a rule
   */
  hideDeclarations(css: string, origin: 'attribute' | 'rule'): string;
  /** The authored value of a style attribute that hideDeclarations hid. */
  authoredStyle(style: string): string | undefined;
}

/**
 * Hides the Liquid of a source.
 * @param pieces the source, cut by splitSource
 * @param wrap the indexes of pieces to wrap in `mj-raw`: MJML keeps Liquid between its elements only inside `mj-raw`
 */
export function hideLiquid(
  source: string,
  pieces: readonly SourcePiece[],
  wrap: ReadonlySet<number> = new Set(),
): HiddenLiquid {
  let prefix = 'zliquid';
  while (source.includes(prefix)) prefix += 'z';
  const lineOf = createLineFinder(source);
  const lines = [1];
  const hidden: string[] = [];
  let text = '';
  const hide = (piece: string): string => `${prefix}${hidden.push(piece) - 1}x`;
  const pieceIndexes = new Map<number, number>();
  pieces.forEach((piece, index) => {
    if (piece.kind === 'text') {
      // `<%` is split, because juice reads it as the start of its own template syntax.
      const hiddenText = piece.text.replaceAll('<%', () => hide('<%'));
      for (let at = piece.text.indexOf('\n'); at >= 0; at = piece.text.indexOf('\n', at + 1)) {
        lines.push(lineOf(piece.at + at) + 1);
      }
      text += hiddenText;
      return;
    }
    pieceIndexes.set(hidden.length, index);
    text += wrap.has(index) ? `<mj-raw>${hide(piece.text)}</mj-raw>` : hide(piece.text);
  });
  const pattern = new RegExp(`${prefix}(\\d+)x`, 'g');
  const declared = new RegExp(`--${prefix}(\\d+)x([ar]):\\s*1(;?)`, 'g');
  const authored = new RegExp(`--${prefix}(\\d+)xa:`);
  const show = (_: string, index: string): string => hidden[Number(index)] ?? '';
  // The declarations of rules already end in a semicolon.
  const declare = (_: string, index: string, origin: string, end: string): string => {
    const css = hidden[Number(index)] ?? '';
    return origin === 'r' || css.trimEnd().endsWith(';') ? css : css + end;
  };
  const restore = (shown: string): string => shown.replace(declared, declare).replace(pattern, show);
  return {
    text,
    sourceLine: (line) => lines[Math.max(0, Math.min(line, lines.length) - 1)] ?? 1,
    isHidden: (shown) => shown.includes(prefix),
    restore,
    listPieces: (shown) => [...shown.matchAll(pattern)].flatMap(([, index]) => pieceIndexes.get(Number(index)) ?? []),
    mark: `${prefix}mark`,
    hideDeclarations: (css, origin) => `--${hide(restore(css))}${origin === 'attribute' ? 'a' : 'r'}:1`,
    authoredStyle(style) {
      const [, index] = authored.exec(style) ?? [];
      return index === undefined ? undefined : hidden[Number(index)];
    },
  };
}
