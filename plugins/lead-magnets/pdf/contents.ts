// The table of contents. Its pages come before the chapters and are filled in when the chapters' page numbers are
// known.
import type { TextLine } from './break-lines.ts';
import { plainStyle } from './markdown.ts';
import { leadingOf, page, type Sheet, type Tag, textWidth } from './sheet.ts';

const size = 12;
const gap = 9;
/** The width reserved for the page number. */
const numberWidth = 44;

interface Entry {
  readonly heading: string;
  readonly lines: readonly TextLine[];
  /** The index of the entry's page within the contents. */
  readonly sheetIndex: number;
  readonly y: number;
}

/** The pages and entries reserved for the contents. */
export interface Contents {
  readonly tag: Tag;
  readonly entries: readonly Entry[];
  /** The index of the first contents page, from 0. */
  readonly first: number;
}

/** The name of the destination to which a chapter's link leads. */
export const chapterName = (index: number): string => `chapter-${index + 1}`;

/** Adds the pages. `title` is painted above the contents, if no cover shows it. */
export async function reserveContents(
  sheet: Sheet,
  heading: string,
  chapters: readonly { readonly heading: string }[],
  title: string | undefined,
): Promise<Contents> {
  sheet.addPage();
  const first = sheet.pages - 1;
  const section = sheet.tag(sheet.root, 'Sect');
  if (title !== undefined) {
    const tag = sheet.tag(section, 'H1');
    const lines = await sheet.lines([{ ...plainStyle, text: title }], {
      ...{ role: 'heading', size: 28, width: textWidth, bold: true },
    });
    await sheet.paintLines(tag, lines, { x: page.left, size: 28, colour: sheet.colours.strong });
    tag.end();
    sheet.y += 20;
  }
  const tag = sheet.tag(section, 'H2');
  const lines = await sheet.lines([{ ...plainStyle, text: heading }], {
    ...{ role: 'heading', size: 20, width: textWidth, bold: true },
  });
  await sheet.paintLines(tag, lines, { x: page.left, size: 20, colour: sheet.colours.strong });
  tag.end();
  sheet.y += 14;
  const entries: Entry[] = [];
  for (const chapter of chapters) {
    const entryLines = await sheet.lines([{ ...plainStyle, text: chapter.heading }], {
      ...{ role: 'body', size, width: textWidth - numberWidth, isRtl: sheet.isRtl },
    });
    const height = entryLines.length * leadingOf(size);
    if (!sheet.hasRoom(height)) sheet.addPage();
    entries.push({ heading: chapter.heading, lines: entryLines, sheetIndex: sheet.pages - 1 - first, y: sheet.y });
    sheet.y += height + gap;
  }
  return { tag: sheet.tag(section, 'TOC'), entries, first };
}

/** Fills in the contents. `pages`: the page of each chapter, from 1. */
export async function fillContents(sheet: Sheet, { tag, entries, first }: Contents, pages: readonly number[]) {
  const { colours, pdf } = sheet;
  const textLeft = sheet.isRtl ? page.left + numberWidth : page.left;
  for (const [index, { heading, lines, sheetIndex, y }] of entries.entries()) {
    await sheet.pause();
    pdf.switchToPage(first + sheetIndex);
    const item = sheet.tag(tag, 'TOCI');
    const reference = sheet.tag(item, 'Reference');
    const link = sheet.tag(reference, 'Link');
    const number = String(pages[index]);
    const runs = sheet.fonts.runs(number, 'body', 'regular');
    const numberTextWidth = runs.reduce((sum, run) => sum + sheet.measure(run, size), 0);
    const bottom = y + lines.length * leadingOf(size);
    for (const [at, line] of lines.entries())
      sheet.paintLine(link, line, textLeft, y + at * leadingOf(size) + size * 1.08, size, colours.ink);
    const baseline = bottom - leadingOf(size) + size * 1.08;
    const last = lines.at(-1) ?? [];
    const textEnd = Math.max(0, ...last.map((piece) => piece.x + piece.width));
    const textStart = Math.min(...last.map((piece) => piece.x), textWidth);
    const from = sheet.isRtl ? page.left + numberTextWidth + 8 : page.left + textEnd + 8;
    const to = sheet.isRtl ? textLeft + textStart - 8 : page.width - page.right - numberTextWidth - 8;
    if (to > from)
      sheet.artifact(() => {
        pdf
          .moveTo(from, baseline - 1)
          .lineTo(to, baseline - 1)
          .lineWidth(0.8)
          .dash(0.8, { space: 3 });
        pdf.strokeColor('#9aa1ad').stroke().undash();
      });
    sheet.content(link, () =>
      sheet.paintRuns(
        runs,
        sheet.isRtl ? page.left : page.width - page.right - numberTextWidth,
        baseline,
        size,
        colours.ink,
      ),
    );
    const options = { structParent: link, Contents: new String(`${heading}, ${number}`) };
    pdf.goTo(page.left, y, textWidth, bottom - y, chapterName(index), options as never);
    link.end();
    reference.end();
    item.end();
  }
  tag.end();
}
