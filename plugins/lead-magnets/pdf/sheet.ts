// A document that grows line by line: pages with their footers, structure tags of the content, links. Called by the
// painters of covers, contents and chapters.
import { lettersOf, readsRightToLeft } from '../../../core/unstable.ts';
import { breakLines, type LinePiece, type LineStyle, type MeasureText, type TextLine } from './break-lines.ts';
import type { Colours } from './colours.ts';
import { rightToLeftFeatures } from './copyable-text.ts';
import type { DocumentFonts, Run } from './fonts.ts';
import { plainStyle, type TextSpan } from './markdown.ts';

type Pdf = PDFKit.PDFDocument;
/** An element of the document's structure. */
export type Tag = PDFKit.PDFStructureElement;

/** A4, in points. */
export const page = { width: 595.28, height: 841.89, left: 72, right: 72, top: 76, bottom: 84 } as const;
export const textWidth = page.width - page.left - page.right;
/** The width of the title in the footer, beside the page number. */
const footerWidth = textWidth - 60;
const contentBottom = page.height - page.bottom;

/** The line height of a font size. It is the same for all lines of that size. */
export const leadingOf = (size: number): number => Math.round(size * 1.5 * 2) / 2;

const featuresOf = (isRtl: boolean) => (isRtl ? { features: rightToLeftFeatures } : {});

export class Sheet {
  readonly pdf: Pdf;
  readonly fonts: DocumentFonts;
  readonly colours: Colours;
  readonly pause: () => Promise<void>;
  /** Whether the document reads from right to left. Its paragraphs may differ. */
  readonly isRtl: boolean;
  /** The root of the structure. */
  readonly root: Tag;
  /** The vertical position of the next line. */
  y = page.top;
  /** The number of pages so far. */
  pages = 0;
  #footer: TextLine = [];
  readonly #widths = new Map<string, number>();

  constructor(
    pdf: Pdf,
    parts: {
      readonly fonts: DocumentFonts;
      readonly colours: Colours;
      readonly pause: () => Promise<void>;
      readonly isRtl: boolean;
    },
  ) {
    this.pdf = pdf;
    this.fonts = parts.fonts;
    this.colours = parts.colours;
    this.pause = parts.pause;
    this.isRtl = parts.isRtl;
    this.root = pdf.struct('Document');
    pdf.addStructure(this.root);
  }

  /** Adds an element below another element. Close it with `end()` when its content is complete. */
  tag(parent: Tag, type: string, options: PDFKit.Mixins.StructureElementOptions = {}): Tag {
    const element = this.pdf.struct(type as never, options);
    parent.add(element);
    return element;
  }

  /** Paints content that readers of the structure skip. */
  artifact(paint: () => void, type = 'Layout'): void {
    this.pdf.markContent('Artifact', { type } as never);
    paint();
    this.pdf.endMarkedContent();
  }

  /** Paints content of an element. */
  content(tag: Tag, paint: () => void): void {
    const type = String((tag as unknown as { dictionary: { data: { S: string } } }).dictionary.data.S);
    const content = this.pdf.markStructureContent(type as never);
    paint();
    this.pdf.endMarkedContent();
    tag.add(content);
  }

  /** Adds a page. Covers have no footer. */
  addPage({ isCover = false } = {}): void {
    this.pdf.addPage();
    this.pages += 1;
    this.y = page.top;
    if (!isCover) this.artifact(() => this.#paintFooter(), 'Pagination');
  }

  #paintFooter(): void {
    const size = 9;
    const y = page.height - 44;
    const number = String(this.pages);
    const [numberRun = { text: number, face: { name: 'Helvetica', has: () => true } }] = this.fonts.runs(
      number,
      'body',
      'regular',
    );
    const numberWidth = this.measure(numberRun, size);
    this.pdf
      .moveTo(page.left, y - 18)
      .lineTo(page.width - page.right, y - 18)
      .lineWidth(0.5)
      .strokeColor('#d5d8de')
      .stroke();
    const titleLeft = this.isRtl ? page.width - page.right - footerWidth : page.left;
    for (const piece of this.#footer) this.paintRun(piece, titleLeft + piece.x, y, size, this.colours.soft);
    const numberLeft = this.isRtl ? page.left : page.width - page.right - numberWidth;
    this.paintRuns([numberRun], numberLeft, y, size, this.colours.soft);
  }

  /** Sets the text of the footers, cut to one line. */
  async setFooter(text: string): Promise<void> {
    const letters = lettersOf(text);
    const lineOf = async (count: number) => {
      const shown = count < letters.length ? `${letters.slice(0, count).join('').trimEnd()}…` : text;
      const setting = { role: 'body', size: 9, width: footerWidth, isRtl: this.isRtl } as const;
      const lines = await this.lines([{ ...plainStyle, text: shown }], setting);
      return lines.length > 1 ? undefined : (lines[0] ?? []);
    };
    let [fits, tooLong] = [0, letters.length + 1];
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      if ((await lineOf(middle)) === undefined) tooLong = middle;
      else fits = middle;
    }
    this.#footer = (await lineOf(fits)) ?? [];
  }

  readonly measure: MeasureText = ({ text, face, isRtl = false }: Run, size: number): number => {
    const key = `${face.name}|${size}|${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      width = this.pdf.font(face.name, size).widthOfString(text, featuresOf(isRtl));
      if (text.length <= 24) this.#widths.set(key, width);
    }
    return width;
  };

  /** Paints runs side by side. `y` is their baseline. */
  paintRuns(runs: readonly Run[], x: number, y: number, size: number, colour: string): void {
    let at = x;
    for (const run of runs) {
      this.paintRun(run, at, y, size, colour);
      at += this.measure(run, size);
    }
  }

  paintRun({ text, face, isRtl = false }: Run, x: number, y: number, size: number, colour: string): void {
    const options = { lineBreak: false, baseline: 'alphabetic', ...featuresOf(isRtl) } as const;
    this.pdf.font(face.name, size).fillColor(colour).text(text, x, y, options);
  }

  /** Whether a text reads from right to left: by its first letter or, if it has none, as the document. */
  isRtlIn(text: string): boolean {
    return readsRightToLeft(text) ?? this.isRtl;
  }

  /** Breaks spans into lines. (Default direction: that of the text) */
  lines(
    spans: readonly TextSpan[],
    setting: Omit<LineStyle, 'isRtl'> & Partial<LineStyle>,
  ): Promise<readonly TextLine[]> {
    const { isRtl = this.isRtlIn(spans.map(({ text }) => text).join('')) } = setting;
    return breakLines(spans, { ...setting, isRtl }, this.fonts, this.measure, this.pause);
  }

  /** Whether the page has room for this height. */
  hasRoom(height: number): boolean {
    return this.y + height <= contentBottom;
  }

  /** How many lines of this height still fit on the page. */
  #roomFor(leading: number): number {
    return Math.floor((contentBottom - this.y + 0.01) / leading);
  }

  /**
   * Paints lines from the current position, over as many pages as needed. No page begins or ends with a single line of
   * a longer text.
   */
  async paintLines(
    tag: Tag,
    lines: readonly TextLine[],
    {
      x,
      size,
      colour,
      before,
    }: { x: number; size: number; colour: string; before?: (top: number, leading: number) => void },
  ): Promise<void> {
    const leading = leadingOf(size);
    for (const [index, line] of lines.entries()) {
      await this.pause();
      const room = this.#roomFor(leading);
      const remaining = lines.length - index;
      const isLonely = room === 1 && ((index === 0 && remaining > 1) || remaining === 2);
      if (room < 1 || isLonely) this.addPage();
      const top = this.y;
      if (before !== undefined) this.artifact(() => before(top, leading));
      this.paintLine(tag, line, x, top + size * 1.08, size, colour);
      this.y += leading;
    }
  }

  /** Paints one line. Its links are separate elements. */
  paintLine(tag: Tag, line: TextLine, x: number, baseline: number, size: number, colour: string): void {
    let plain: LinePiece[] = [];
    const endPlain = () => {
      if (plain.length === 0) return;
      const pieces = plain;
      plain = [];
      this.#shade(pieces, x, baseline, size);
      this.content(tag, () => {
        for (const piece of pieces) this.paintRun(piece, x + piece.x, baseline, size, colour);
      });
    };
    for (const piece of line) {
      if (piece.href === undefined) plain.push(piece);
      else {
        endPlain();
        this.#paintLink(tag, piece, x, baseline, size);
      }
    }
    endPlain();
  }

  /** Paints a grey background behind inline code. */
  #shade(pieces: readonly LinePiece[], x: number, baseline: number, size: number): void {
    for (const piece of pieces)
      if (piece.code && piece.text.trim() !== '')
        this.artifact(() => {
          this.pdf
            .roundedRect(x + piece.x - 1.5, baseline - size * 0.88, piece.width + 3, size * 1.22, 2)
            .fill('#eef0f3');
        });
  }

  #paintLink(tag: Tag, piece: LinePiece, x: number, baseline: number, size: number): void {
    const { href = '', width, text } = piece;
    const { strong } = this.colours;
    const link = this.tag(tag, 'Link');
    this.content(link, () => this.paintRun(piece, x + piece.x, baseline, size, strong));
    this.artifact(() => {
      const y = baseline + 2;
      this.pdf
        .moveTo(x + piece.x, y)
        .lineTo(x + piece.x + width, y)
        .lineWidth(0.6)
        .strokeColor(strong)
        .stroke();
    });
    const options = { structParent: link, Contents: new String(text) };
    this.pdf.link(x + piece.x, baseline - size, width, size * 1.3, href, options as never);
    link.end();
  }
}
