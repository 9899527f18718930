// Writes the PDF of a lead magnet. The same content gives the same bytes.
import type { ErrorDetail } from '../../../core/index.ts';
import { directionOf, readsRightToLeft, readText } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { contentsWord } from '../fixed-texts.ts';
import type { LeadMagnetsOptions } from '../options.ts';
import { paintText } from './blocks.ts';
import type { Book } from './book.ts';
import { printable } from './characters.ts';
import { coloursOf } from './colours.ts';
import { chapterName, fillContents, reserveContents } from './contents.ts';
import { paintBackCover, paintFrontCover } from './covers.ts';
import { createFontFiles, type DocumentFonts, documentFonts } from './fonts.ts';
import { languageOf } from './language.ts';
import { logoFor } from './logo.ts';
import { blocksIn, plainStyle, withBoxes } from './markdown.ts';
import { installedPackages, loadPdfkit } from './packages.ts';
import type { ScriptPackages } from './script-packages.ts';
import { leadingOf, page, Sheet, textWidth } from './sheet.ts';
import { createSlices } from './slices.ts';

export interface Painter {
  /**
   * Paints in slices, so that the process serves other requests in between.
   * @throws lead_magnet_characters, lead_magnet_renderer_missing
   */
  paint(book: Book, signal: AbortSignal): Promise<Buffer>;
}

const maxListed = 20;

/** All text of a book, prepared for painting as if the fonts had every character. */
const textIn = ({ title, chapters, style }: Book): string =>
  [title, style?.name ?? '', ...chapters.flatMap(({ heading, summary, text }) => [heading, summary, text])]
    .map((text) => printable(text, () => true))
    .join('\n');

/** Returns the book with only characters that the fonts have. @throws lead_magnet_characters */
function checkCharacters(book: Book, heading: string, fonts: DocumentFonts): Book {
  const missing = new Set<string>();
  const details: ErrorDetail[] = [];
  const printableOf = (path: string, input: string): string => {
    const text = printable(input, fonts.has);
    const missingHere = new Set([...text].filter((character) => character !== '\n' && !fonts.has(character)));
    for (const character of missingHere) missing.add(character);
    if (missingHere.size > 0) {
      const letterList = [...missingHere].slice(0, maxListed).join(' ');
      details.push({ path, code: 'character', message: `No font has ${letterList}.` });
    }
    return text;
  };
  const printableBook: Book = {
    ...book,
    title: printableOf('title', book.title),
    chapters: book.chapters.map(({ heading: head, summary, text }, index) => ({
      heading: printableOf(`chapters.${index}.heading`, head),
      summary: printableOf(`chapters.${index}.summary`, summary),
      text: printableOf(`chapters.${index}.text`, text),
    })),
    style: book.style === undefined ? undefined : { ...book.style, name: printableOf('brand.name', book.style.name) },
  };
  printableOf('contentsHeading', heading);
  if (missing.size === 0) return printableBook;
  const characters = [...missing].slice(0, maxListed).join(' ');
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
    pdf.rect(sheet.isRtlIn(heading) ? page.left + textWidth - 44 : page.left, page.top, 44, 5).fill(colours.accent);
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

export function createPainter(options: LeadMagnetsOptions, packages: ScriptPackages = installedPackages): Painter {
  const files = createFontFiles(options.fonts ?? {});
  return {
    async paint(input, signal) {
      const Pdf = await loadPdfkit();
      const pause = createSlices(signal);
      const bookText = textIn(input);
      const language = options.language ?? languageOf(bookText) ?? 'en';
      const contentsHeading = options.contentsHeading ?? contentsWord(language);
      // pdfkit derives the file's id from the date. A fixed date gives the same content the same id; it is removed
      // below.
      const info = { Title: input.title, Author: input.style?.name ?? '', CreationDate: new Date(0) };
      const pdf = new Pdf({
        ...{ autoFirstPage: false, bufferPages: true, size: 'A4', margin: 0, info, lang: language },
        ...{ pdfVersion: '1.7', tagged: true, displayTitle: true },
      });
      delete pdf.info.CreationDate;
      // The XMP copy of the metadata would need a date, so it is left out.
      Object.assign(pdf, { endMetadata: () => undefined });
      if (input.style === undefined) delete pdf.info.Author;
      const chunks: Buffer[] = [];
      pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
      const documentsFonts = await documentFonts(pdf, files, input.style?.fonts, {
        ...{ text: `${bookText}\n${contentsHeading}`, language, packages },
      });
      const book = checkCharacters(input, contentsHeading, documentsFonts);
      const isRtl = readsRightToLeft(book.title) ?? directionOf(language) === 'rtl';
      const sheet = new Sheet(pdf, { fonts: documentsFonts, colours: coloursOf(book.style), pause, isRtl });
      await sheet.setFooter(book.title);
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
