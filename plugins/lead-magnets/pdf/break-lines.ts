// Breaks spans into lines, independently of pages.
import { lettersOf, mayBreakBetween, tokensOf } from '../../../core/unstable.ts';
import { isOrderMark, type Levels, levelsOf, paintedText, visualOrder } from './bidi.ts';
import type { DocumentFonts, Face, FaceName, Role, Run } from './fonts.ts';
import type { TextSpan } from './markdown.ts';
import type { Bidi } from './script-packages.ts';

/** Text in one font on a line, with its offset from the left edge of the text. */
export interface LinePiece extends Run {
  readonly x: number;
  readonly width: number;
  readonly href: string | undefined;
  readonly code: boolean;
}

export type TextLine = readonly LinePiece[];

/** How to typeset the text. */
export interface LineStyle {
  readonly role: Role;
  readonly size: number;
  readonly width: number;
  /** Whether the whole text is bold. (Default: as in the spans) */
  readonly bold?: boolean;
  /** Whether the text reads from right to left, and its lines end at the left. */
  readonly isRtl: boolean;
}

/** Measures text in the document's fonts. */
export type MeasureText = (run: Run, size: number) => number;

interface Part extends Run {
  /** The position of the text in the paragraph. */
  readonly start: number;
  readonly width: number;
  readonly href: string | undefined;
  readonly code: boolean;
}

const faceOf = ({ bold, italic }: Pick<TextSpan, 'bold' | 'italic'>, always: boolean): FaceName =>
  bold || always ? (italic ? 'boldItalic' : 'bold') : italic ? 'italic' : 'regular';

/** The spans without invisible order marks, and the embedding levels of the remaining text. */
function orderedSpans(
  spans: readonly TextSpan[],
  isRtl: boolean,
  bidi: Bidi | undefined,
): { readonly spans: readonly TextSpan[]; readonly levels: Levels | undefined } {
  const text = spans.map((span) => span.text).join('');
  const levels = levelsOf(text, isRtl, bidi);
  if (!isOrderMark(text)) return { spans, levels };
  const kept = levels === undefined ? undefined : Array.from(levels).filter((_, at) => !isOrderMark(text[at] ?? ''));
  const unmarked = (input: string) => Array.from(input, (one) => (isOrderMark(one) ? '' : one)).join('');
  return { spans: spans.map((span) => ({ ...span, text: unmarked(span.text) })), levels: kept };
}

const canJoin = (last: Part | undefined, part: Part): last is Part =>
  last?.face === part.face &&
  last.href === part.href &&
  last.code === part.code &&
  last.start + last.text.length === part.start;

const faceFromRightToLeft = ({ face, text }: Run): Face =>
  face.rightToLeft !== undefined && [...text].every((one) => face.rightToLeft?.has(one.codePointAt(0) ?? 0))
    ? face.rightToLeft
    : face;

/** Breaks the spans into lines. `pause` is awaited between words. */
export async function breakLines(
  input: readonly TextSpan[],
  setting: LineStyle,
  { runs, bidi }: DocumentFonts,
  measure: MeasureText,
  pause: () => Promise<void>,
): Promise<readonly TextLine[]> {
  const { role, size, width, bold = false, isRtl } = setting;
  const { spans, levels } = orderedSpans(input, isRtl, bidi);
  const lines: TextLine[] = [];
  let line: Part[] = [];
  let x = 0;
  /** The current word, which is put onto the line as a whole. */
  let word: Part[] = [];
  let space: Part[] = [];

  const partsOf = (text: string, start: number, span: TextSpan): Part[] => {
    let at = start;
    return runs(text, span.code ? 'code' : role, faceOf(span, bold)).map((run) => {
      const part = { ...run, start: at, href: span.href, code: span.code, width: measure(run, size) };
      at += run.text.length;
      return part;
    });
  };
  const appendParts = (parts: readonly Part[]) => {
    for (const part of parts) {
      const last = line.at(-1);
      if (canJoin(last, part))
        line[line.length - 1] = { ...last, text: last.text + part.text, width: last.width + part.width };
      else line.push(part);
      x += part.width;
    }
  };
  /** The current line, with its parts placed from left to right. A line that reads from right to left is aligned to the right edge. */
  const positionedLine = (): TextLine => {
    let at = 0;
    const place = (part: Run & Omit<LinePiece, 'x'>): LinePiece => {
      const { face, text, href, code } = part;
      const piece = {
        face,
        text,
        href,
        code,
        width: part.width,
        x: at,
        ...(part.isRtl === true ? { isRtl: true } : {}),
      };
      at += part.width;
      return piece;
    };
    if (levels === undefined || bidi === undefined) return line.map(place);
    const pieces = visualOrder(line, levels).map((part) => {
      const face = part.isRtl === true ? faceFromRightToLeft(part) : part.face;
      const painted = { ...part, face, text: paintedText(part, bidi) };
      return place({ ...painted, width: measure(painted, size) });
    });
    return isRtl ? pieces.map((piece) => ({ ...piece, x: piece.x + Math.max(0, width - at) })) : pieces;
  };
  const endLine = () => {
    lines.push(positionedLine());
    line = [];
    x = 0;
    space = [];
  };
  const widthOf = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + part.width, 0);
  /** Appends a word that is wider than the line, letter by letter. */
  const appendLongWord = async () => {
    for (const part of word) {
      let { start } = part;
      for (const letter of lettersOf(part.text)) {
        await pause();
        const letterWidth = measure({ text: letter, face: part.face }, size);
        if (x + letterWidth > width && line.length > 0) endLine();
        appendParts([{ ...part, text: letter, start, width: letterWidth }]);
        start += letter.length;
      }
    }
  };
  const endWord = async () => {
    if (word.length === 0) return;
    const wordWidth = widthOf(word);
    if (line.length > 0 && x + widthOf(space) + wordWidth > width) endLine();
    if (line.length > 0) appendParts(space);
    space = [];
    if (wordWidth > width) await appendLongWord();
    else appendParts(word);
    word = [];
  };

  let spanStart = 0;
  for (const span of spans) {
    for (const { text, start } of tokensOf(span.text)) {
      await pause();
      if (text === '\n') {
        await endWord();
        endLine();
      } else if (text.startsWith(' ')) {
        await endWord();
        space = partsOf(span.code ? text : ' ', spanStart + start, span);
      } else {
        const before = word.at(-1)?.text;
        if (before !== undefined && mayBreakBetween(before, text)) await endWord();
        word.push(...partsOf(text, spanStart + start, span));
      }
    }
    spanStart += span.text.length;
  }
  await endWord();
  if (line.length > 0) endLine();
  return lines;
}
