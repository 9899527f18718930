/**
 * The structure of a derived text part: marks in its Liquid source, and the layout of the rendered text. Lines, lists
 * and their numbers are known only after rendering, because Liquid decides which texts are next to each other. Called
 * by mail-text.ts, by next-version.ts and by rendering; linear.
 */

/** Noncharacters of Unicode, which no text contains. */
export const MARKS = {
  /** A new line begins here. */
  line: '\ufdd0',
  /** A new paragraph begins here. */
  paragraph: '\ufdd1',
  /** `<br>`: a line break. */
  break: '\ufdd2',
  /** A space that must be kept. */
  space: '\ufdd3',
  /** The beginning of a list with bullets, a list with numbers (its first number and `;` follow) or a quotation. */
  bullets: '\ufdd4',
  numbers: '\ufdd5',
  quote: '\ufdd6',
  /** The end of the innermost list or quotation. */
  end: '\ufdd7',
  /** An item of the innermost list begins. */
  item: '\ufdd8',
  /** A cell of a table begins. */
  cell: '\ufdd9',
} as const;

const ANY = /[\ufdd0-\ufdd9]/;
const TOKENS = /\ufdd5\s*(-?\d{0,9})[^;\ufdd0-\ufdd9]{0,40};?|[\ufdd0-\ufdd9]|[^\ufdd0-\ufdd9]+/g;

/** Whether a text part was derived and must be laid out. */
export const isMarked = (source: string): boolean => ANY.test(source);

interface Block {
  /** The text before each line except the first line of an item. */
  readonly indent: string;
  /** The number of the next item; undefined for bullets, and for quotations. */
  next: number | undefined;
  readonly isList: boolean;
}

/** The maximum depth of blocks that is indented. Lines of deeper blocks would be mostly indentation. */
const DEPTH = 12;

/** Lays out a rendered text. */
export function layOutText(rendered: string): string {
  const blocks: Block[] = [];
  const lines: string[] = [];
  let line = '';
  /** The number of line breaks to write before the next text: 1 for a line, 2 for a paragraph. */
  let dueBreaks = 0;
  /** The number of line breaks from `<br>`. */
  let explicitBreaks = 0;
  let isSpaced = false;
  /** The bullet or number that the next text begins with. */
  let nextBullet: string | undefined;

  /** The prefix of lines by the number of surrounding blocks. */
  const prefixes = [''];
  const indents = (count: number): string => prefixes[Math.min(count, prefixes.length - 1)] ?? '';
  const measure = (): void => {
    prefixes.length = 1;
    for (const { indent } of blocks.slice(0, DEPTH)) prefixes.push((prefixes.at(-1) ?? '') + indent);
  };
  const isBlank = (text: string): boolean => /^[\s>]*$/.test(text);
  const endLines = (): void => {
    const count = Math.min(2, Math.max(dueBreaks, explicitBreaks));
    dueBreaks = 0;
    explicitBreaks = 0;
    if (count === 0) return;
    isSpaced = false;
    if (!isBlank(line)) lines.push(line.trimEnd());
    line = '';
    if (count > 1 && lines.length > 0 && !isBlank(lines.at(-1) ?? '')) lines.push(indents(blocks.length).trimEnd());
  };
  const write = (text: string): void => {
    endLines();
    if (line === '') {
      line = nextBullet === undefined ? indents(blocks.length) : indents(blocks.length - 1) + nextBullet;
      isSpaced = false;
    }
    nextBullet = undefined;
    line += (isSpaced && !line.endsWith(' ') ? ' ' : '') + text;
    isSpaced = false;
  };
  const writeWords = (text: string): void => {
    // A line break from a variable stays; other space becomes one space, as in HTML.
    text.split('\n').forEach((part, index) => {
      if (index > 0) explicitBreaks += 1;
      const words = part.replace(/[ \t\r\f]{2,}|[\t\r\f]/g, ' ');
      const trimmed = words.trim();
      if (words.startsWith(' ') && line !== '') isSpaced = true;
      if (trimmed !== '') {
        write(trimmed);
        isSpaced = words.endsWith(' ');
      }
    });
  };
  const openBlock = (block: Block): void => {
    dueBreaks = Math.max(dueBreaks, block.isList && blocks.some(({ isList }) => isList) ? 1 : 2);
    endLines();
    // Deeper blocks are ignored, so that a text made of marks costs no more than any other text.
    if (blocks.length >= 4 * DEPTH) return;
    blocks.push(block);
    measure();
  };

  for (const [token, first] of rendered.matchAll(TOKENS)) {
    switch (token[0]) {
      case MARKS.line:
        dueBreaks = Math.max(dueBreaks, 1);
        break;
      case MARKS.paragraph:
        dueBreaks = Math.max(dueBreaks, 2);
        break;
      case MARKS.break:
        explicitBreaks += 1;
        break;
      case MARKS.space:
        write(' ');
        break;
      case MARKS.cell:
        isSpaced = true;
        break;
      case MARKS.bullets:
        openBlock({ indent: '  ', next: undefined, isList: true });
        break;
      case MARKS.numbers:
        openBlock({ indent: '   ', next: first === '' || first === undefined ? 1 : Number(first), isList: true });
        break;
      case MARKS.quote:
        openBlock({ indent: '> ', next: undefined, isList: false });
        break;
      case MARKS.end: {
        const endedBlock = blocks.pop();
        measure();
        nextBullet = undefined;
        dueBreaks = Math.max(dueBreaks, endedBlock?.isList && blocks.some(({ isList }) => isList) ? 1 : 2);
        break;
      }
      case MARKS.item: {
        dueBreaks = Math.max(dueBreaks, 1);
        const list = blocks.at(-1);
        nextBullet = list?.next === undefined ? '* ' : `${list.next}. `;
        if (list?.next !== undefined) list.next += 1;
        break;
      }
      default:
        writeWords(token);
    }
  }
  if (!isBlank(line)) lines.push(line.trimEnd());
  while (lines.length > 0 && isBlank(lines.at(-1) ?? '')) lines.pop();
  while (lines.length > 0 && isBlank(lines[0] ?? '')) lines.shift();
  return lines.join('\n');
}
