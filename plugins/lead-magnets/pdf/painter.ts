// Writes the PDF of a lead magnet. The same content gives the same bytes.
import type { ErrorDetail } from '../../../core/index.ts';
import { readText } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import type { LeadMagnetsOptions } from '../options.ts';
import { paintText } from './blocks.ts';
import type { Book } from './book.ts';
import { printable } from './characters.ts';
import { coloursOf } from './colours.ts';
import { chapterName, fillContents, reserveContents } from './contents.ts';
import { paintBackCover, paintFrontCover } from './covers.ts';
import { createFontFiles, type DocumentFonts, documentFonts } from './fonts.ts';
import { logoFor } from './logo.ts';
import { blocksIn, plainStyle, withBoxes } from './markdown.ts';
import { loadPdfkit } from './packages.ts';
import { leadingOf, page, Sheet, textWidth } from './sheet.ts';
import { createSlices } from './slices.ts';

export interface Painter {
  /**
   * Paints in slices, so that the process serves other requests in between.
   * @throws lead_magnet_characters, lead_magnet_renderer_missing
   */
  paint(book: Book, signal: AbortSignal): Promise<Buffer>;
}

const maxNamed = 20;

/** Returns the book with only characters that the fonts have. @throws lead_magnet_characters */
function checked(book: Book, heading: string, fonts: DocumentFonts): Book {
  const missing = new Set<string>();
  const details: ErrorDetail[] = [];
  const read = (path: string, input: string): string => {
    const text = printable(input, fonts.has);
    const here = new Set([...text].filter((character) => character !== '\n' && !fonts.has(character)));
    for (const character of here) missing.add(character);
    if (here.size > 0) {
      const letterList = [...here].slice(0, maxNamed).join(' ');
      details.push({ path, code: 'character', message: `No font has ${letterList}.` });
    }
    return text;
  };
  const shown: Book = {
    ...book,
    title: read('title', book.title),
    chapters: book.chapters.map(({ heading: head, summary, text }, index) => ({
      heading: read(`chapters.${index}.heading`, head),
      summary: read(`chapters.${index}.summary`, summary),
      text: read(`chapters.${index}.text`, text),
    })),
    style: book.style === undefined ? undefined : { ...book.style, name: read('brand.name', book.style.name) },
  };
  read('contentsHeading', heading);
  if (missing.size === 0) return shown;
  const characters = [...missing].slice(0, maxNamed).join(' ');
  throw errors.lead_magnet_characters({ characters }, { details: details.slice(0, 100) });
}

async function paintChapter(sheet: Sheet, { format, chapters }: Book, index: number): Promise<void> {
  const chapter = chapters[index];
  if (chapter === undefined) throw new Error(`The book has no chapter ${index}.`);
  const { heading, summary, text } = chapter;
  const { pdf, colours } = sheet;
  sheet.addPage();
  pdf.addNamedDestination(chapterName(index), 'XYZ', 0, 0, null as never);
  pdf.outline.addItem(heading);
  const section = sheet.tag(sheet.root, 'Sect');
  sheet.artifact(() => {
    pdf.rect(page.left, page.top, 44, 5).fill(colours.accent);
  });
  sheet.y += 18;
  const head = sheet.tag(section, 'H2');
  const lines = await sheet.lines([{ ...plainStyle, text: heading }], {
    ...{ role: 'heading', size: 24, width: textWidth, bold: true },
  });
  await sheet.paintLines(head, lines, { x: page.left, size: 24, colour: colours.strong });
  head.end();
  sheet.y += 6;
  if (summary.trim() !== '') {
    const tag = sheet.tag(section, 'P');
    const summaryLines = await sheet.lines([{ ...plainStyle, italic: true, text: summary }], {
      ...{ role: 'body', size: 12.5, width: textWidth },
    });
    await sheet.paintLines(tag, summaryLines, { x: page.left, size: 12.5, colour: colours.soft });
    tag.end();
    sheet.y += leadingOf(12.5) * 0.6;
  }
  await sheet.pause();
  const blocks = blocksIn(await readText(`chapters.${index}.text`, text));
  await paintText(sheet, section, format === 'checklist' ? withBoxes(blocks) : blocks);
  section.end();
}

export function createPainter({
  fonts = {},
  language = 'en',
  contentsHeading = 'Contents',
}: LeadMagnetsOptions): Painter {
  const files = createFontFiles(fonts);
  return {
    async paint(given, signal) {
      const Pdf = await loadPdfkit();
      const pause = createSlices(signal);
      // pdfkit derives the file's id from the date. A fixed date gives the same content the same id; it is removed
      // below.
      const info = { Title: given.title, Author: given.style?.name ?? '', CreationDate: new Date(0) };
      const pdf = new Pdf({
        ...{ autoFirstPage: false, bufferPages: true, size: 'A4', margin: 0, info, lang: language },
        ...{ pdfVersion: '1.7', tagged: true, displayTitle: true },
      });
      delete pdf.info.CreationDate;
      // The second copy of the metadata would need a date, so it is left out.
      Object.assign(pdf, { endMetadata: () => undefined });
      if (given.style === undefined) delete pdf.info.Author;
      const chunks: Buffer[] = [];
      pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
      const documentsFonts = await documentFonts(pdf, files, given.style?.fonts);
      const book = checked(given, contentsHeading, documentsFonts);
      const sheet = new Sheet(pdf, {
        ...{ fonts: documentsFonts, colours: coloursOf(book.style), pause, footer: book.title },
      });
      if (book.covers > 0) await paintFrontCover(sheet, book, await logoFor(book));
      const contents = await reserveContents(
        sheet,
        contentsHeading,
        book.chapters,
        book.covers === 0 ? book.title : undefined,
      );
      const pages: number[] = [];
      for (const index of book.chapters.keys()) {
        pages.push(sheet.pages + 1);
        await paintChapter(sheet, book, index);
      }
      if (book.covers === 2) await paintBackCover(sheet, book);
      const last = sheet.pages - 1;
      await fillContents(sheet, contents, pages);
      pdf.switchToPage(last);
      sheet.root.end();
      pdf.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}
