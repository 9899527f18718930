// Breaks spans into lines, independently of pages.
import { beginning, lettersOf } from '../../../core/unstable.ts';
import { breaksAnywhere } from './characters.ts';
import type { DocumentFonts, FaceName, Role, Run } from './fonts.ts';
import type { TextSpan } from './markdown.ts';

/** Text in one font on a line, with its offset from the line's start. */
export interface LinePiece extends Run {
  readonly x: number;
  readonly width: number;
  readonly href: string | undefined;
  readonly code: boolean;
}

export type TextLine = readonly LinePiece[];

/** How to set the text. */
export interface LineStyle {
  readonly role: Role;
  readonly size: number;
  readonly width: number;
  /** Whether the whole text is bold. (Default: as in the spans) */
  readonly bold?: boolean;
}

/** Measures text in the document's fonts. */
export type MeasureText = (run: Run, size: number) => number;

interface Part extends Run {
  readonly width: number;
  readonly href: string | undefined;
  readonly code: boolean;
}

const faceOf = ({ bold, italic }: Pick<TextSpan, 'bold' | 'italic'>, always: boolean): FaceName =>
  bold || always ? (italic ? 'boldItalic' : 'bold') : italic ? 'italic' : 'regular';

/**
 * Longer words are split into pieces, which are joined again on the line. Measuring a word of 20,000 letters at once
 * would block the event loop.
 */
const longestPiece = 200;

function* piecesOf(word: string): Generator<string> {
  for (let rest = word; rest !== ''; ) {
    const piece = beginning(rest, longestPiece);
    yield piece;
    rest = rest.slice(piece.length);
  }
}

/** Yields words, spaces and line ends of a text. Scripts without spaces are split into single characters. */
function* tokensOf(text: string): Generator<string> {
  for (const [token] of text.matchAll(/\n| +|[^ \n]+/g)) {
    let word = '';
    for (const character of /[\u2e80-\u{3ffff}]/u.test(token) ? token : [token])
      if (character.length <= 2 && breaksAnywhere(character)) {
        yield* piecesOf(word);
        word = '';
        yield character;
      } else word += character;
    yield* piecesOf(word);
  }
}

/** Breaks the spans into lines. `pause` is awaited between words. */
export async function breakLines(
  spans: readonly TextSpan[],
  setting: LineStyle,
  { runs }: DocumentFonts,
  measure: MeasureText,
  pause: () => Promise<void>,
): Promise<readonly TextLine[]> {
  const { role, size, width, bold = false } = setting;
  const lines: TextLine[] = [];
  let line: LinePiece[] = [];
  let x = 0;
  /** The current word, which is put onto the line as a whole. */
  let word: Part[] = [];
  let space: Part[] = [];

  const partsOf = (text: string, span: TextSpan): Part[] =>
    runs(text, span.code ? 'code' : role, faceOf(span, bold)).map((run) => ({
      ...{ ...run, href: span.href, code: span.code },
      width: measure(run, size),
    }));
  const put = (parts: readonly Part[]) => {
    for (const part of parts) {
      const last = line.at(-1);
      const joins = last?.face === part.face && last.href === part.href && last.code === part.code;
      if (last !== undefined && joins)
        line[line.length - 1] = { ...last, text: last.text + part.text, width: last.width + part.width };
      else line.push({ ...part, x });
      x += part.width;
    }
  };
  const endLine = () => {
    lines.push(line);
    line = [];
    x = 0;
    space = [];
  };
  const widthOf = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + part.width, 0);
  /** Puts a word that is wider than the line, character by character. */
  const putLong = async () => {
    for (const part of word)
      for (const character of lettersOf(part.text)) {
        await pause();
        const run = { text: character, face: part.face };
        const wide = measure(run, size);
        if (x + wide > width && line.length > 0) endLine();
        put([{ ...part, ...run, width: wide }]);
      }
  };
  const endWord = async () => {
    if (word.length === 0) return;
    const wide = widthOf(word);
    if (line.length > 0 && x + widthOf(space) + wide > width) endLine();
    if (line.length > 0) put(space);
    space = [];
    if (wide > width) await putLong();
    else put(word);
    word = [];
  };

  for (const span of spans)
    for (const token of tokensOf(span.text)) {
      await pause();
      if (token === '\n') {
        await endWord();
        endLine();
      } else if (token.startsWith(' ')) {
        await endWord();
        space = partsOf(span.code ? token : ' ', span);
      } else {
        const first = token.codePointAt(0);
        if (first !== undefined && breaksAnywhere(String.fromCodePoint(first))) await endWord();
        word.push(...partsOf(token, span));
        if (first !== undefined && breaksAnywhere(String.fromCodePoint(first))) await endWord();
      }
    }
  await endWord();
  if (line.length > 0) lines.push(line);
  return lines;
}
