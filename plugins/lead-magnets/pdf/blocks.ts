// Paints the blocks of a text: paragraphs, headings, lists, tick boxes, quotes, code, tables.
import { type ListItem, type PdfBlock, plainStyle, type TextSpan } from './markdown.ts';
import { leadingOf, page, type Sheet, type Tag, textWidth } from './sheet.ts';
import { hasReadableColumns, paintTable, type Table } from './table.ts';

/** The position and the size of blocks. */
interface BlockPosition {
  readonly x: number;
  readonly width: number;
  readonly size: number;
  /** The highest heading level in the text. It is painted as the level below the chapter's heading. */
  readonly top: number;
  readonly before?: (top: number, leading: number) => void;
}

/** The text of blocks, whose first letter decides on which side their bullets and bars are. */
const textOf = (blocks: readonly PdfBlock[]): string =>
  blocks
    .map((block) => {
      if (block.kind === 'paragraph' || block.kind === 'heading') return block.spans.map(({ text }) => text).join('');
      if (block.kind === 'list') return block.items.map((item) => textOf(item.blocks)).join(' ');
      return block.kind === 'quote' ? textOf(block.blocks) : '';
    })
    .join(' ');

const bodySize = 11;
const headingSizes = [16, 13.5, 12, 11] as const;
const indent = 22;
/** The side of a box to tick. */
const boxSide = 11;

async function paintHeading(
  sheet: Sheet,
  parent: Tag,
  block: PdfBlock & { kind: 'heading' },
  position: BlockPosition,
): Promise<void> {
  const depth = Math.min(block.level - position.top, headingSizes.length - 1);
  const size = headingSizes[depth] ?? bodySize;
  const lines = await sheet.lines(block.spans, { role: 'heading', size, width: position.width, bold: true });
  // A heading stays on the same page as the lines below it.
  if (!sheet.hasRoom(lines.length * leadingOf(size) + 14 + 2 * leadingOf(bodySize))) sheet.addPage();
  else if (sheet.y > page.top) sheet.y += 10;
  const tag = sheet.tag(parent, `H${Math.min(6, depth + 3)}`);
  await sheet.paintLines(tag, lines, { x: position.x, size, colour: sheet.colours.strong });
  tag.end();
  sheet.y += 3;
}

async function paintParagraph(
  sheet: Sheet,
  parent: Tag,
  spans: readonly TextSpan[],
  position: BlockPosition,
  gap: number,
) {
  const { x, width, size, before } = position;
  const lines = await sheet.lines(spans, { role: 'body', size, width });
  const tag = sheet.tag(parent, 'P');
  const bar = before === undefined ? {} : { before };
  await sheet.paintLines(tag, lines, { x, size, colour: sheet.colours.ink, ...bar });
  tag.end();
  sheet.y += gap;
}

async function paintCode(sheet: Sheet, parent: Tag, text: string, { x, width }: BlockPosition): Promise<void> {
  const size = 9.5;
  const tag = sheet.tag(parent, 'Code');
  // Non-breaking spaces preserve the indentation of lines.
  const shown = text.replace(/ /g, '\u00a0');
  const lines = await sheet.lines([{ ...plainStyle, code: false, text: shown }], {
    role: 'code',
    size,
    width: width - 20,
    isRtl: false,
  });
  const before = (top: number, leading: number) => {
    sheet.pdf.rect(x, top - 1, width, leading + 2).fill('#f3f4f6');
  };
  sheet.y += 2;
  await sheet.paintLines(tag, lines, { x: x + 10, size, colour: sheet.colours.ink, before });
  tag.end();
  sheet.y += 10;
}

/** Paints a box to tick with a pen, or a ticked box. */
function paintBox(sheet: Sheet, tag: Tag, x: number, top: number, checked: boolean): void {
  const { pdf, colours } = sheet;
  sheet.content(tag, () => {
    pdf
      .roundedRect(x, top + 2.5, boxSide, boxSide, 2)
      .lineWidth(1)
      .strokeColor(colours.strong)
      .stroke();
    if (!checked) return;
    pdf
      .moveTo(x + 2.5, top + 8)
      .lineTo(x + 4.8, top + 10.6)
      .lineTo(x + 8.8, top + 5.2)
      .lineWidth(1.4)
      .stroke();
  });
}

async function paintItem(
  sheet: Sheet,
  list: Tag,
  item: ListItem,
  { label, isRtl }: { readonly label: string; readonly isRtl: boolean },
  position: BlockPosition,
  loose: boolean,
) {
  const { x, width, size } = position;
  const leading = leadingOf(size);
  if (!sheet.hasRoom(leading * 2)) sheet.addPage();
  const tag = sheet.tag(list, 'LI');
  const { checked } = item;
  const lbl = sheet.tag(tag, 'Lbl', checked === undefined ? {} : { actual: checked ? '☑' : '☐' });
  const labelWidth = checked === undefined ? indent : indent + 2;
  if (checked === undefined) {
    const labelRuns = sheet.fonts.runs(label, 'body', 'regular');
    const used = labelRuns.reduce((sum, run) => sum + sheet.measure(run, size), 0);
    const left = isRtl ? x + width - 4 - used : x + 4;
    sheet.content(lbl, () => sheet.paintRuns(labelRuns, left, sheet.y + size * 1.08, size, sheet.colours.strong));
  } else paintBox(sheet, lbl, isRtl ? x + width - 2 - boxSide : x + 2, sheet.y, checked);
  lbl.end();
  const body = sheet.tag(tag, 'LBody');
  const startY = sheet.y;
  const bodyPosition = { ...position, x: isRtl ? x : x + labelWidth, width: width - labelWidth };
  await paintBlocks(sheet, body, item.blocks, bodyPosition, loose || checked !== undefined ? 6 : 3);
  if (sheet.y === startY) sheet.y += leading;
  body.end();
  tag.end();
}

async function paintList(
  sheet: Sheet,
  parent: Tag,
  block: PdfBlock & { kind: 'list' },
  position: BlockPosition,
): Promise<void> {
  const tag = sheet.tag(parent, 'L');
  const isRtl = sheet.isRtlIn(textOf([block]));
  const loose = block.items.some(({ blocks }) => blocks.length > 1);
  for (const [index, item] of block.items.entries()) {
    const number = block.start === undefined ? '' : String(block.start + index);
    const label = number === '' ? '•' : isRtl ? `.${number}` : `${number}.`;
    await paintItem(sheet, tag, item, { label, isRtl }, position, loose);
  }
  tag.end();
  sheet.y += 6;
}

async function paintQuote(
  sheet: Sheet,
  parent: Tag,
  blocks: readonly PdfBlock[],
  position: BlockPosition,
): Promise<void> {
  const tag = sheet.tag(parent, 'BlockQuote');
  const { x, width } = position;
  const isRtl = sheet.isRtlIn(textOf(blocks));
  const before = (top: number, leading: number) => {
    sheet.pdf.rect(isRtl ? x + width - 3 : x, top - 1, 3, leading + 2).fill(sheet.colours.accent);
  };
  sheet.y += 4;
  await paintBlocks(sheet, tag, blocks, { ...position, x: isRtl ? x : x + 18, width: width - 18, before }, 4);
  tag.end();
  sheet.y += 10;
}

/** Paints a table. If it has too many columns, each row becomes a line of text. */
async function paintRows(sheet: Sheet, parent: Tag, table: Table, position: BlockPosition, gap: number): Promise<void> {
  if (hasReadableColumns(table, position.width)) return paintTable(sheet, parent, table, position);
  const separator = { ...plainStyle, text: ' · ' };
  for (const cells of table.rows) {
    const spans = cells.flatMap((cell, index) => (index === 0 ? cell : [separator, ...cell]));
    await paintParagraph(sheet, parent, spans, position, gap);
  }
}

async function paintBlocks(
  sheet: Sheet,
  parent: Tag,
  blocks: readonly PdfBlock[],
  position: BlockPosition,
  gap: number,
): Promise<void> {
  for (const block of blocks) {
    if (block.kind === 'paragraph') await paintParagraph(sheet, parent, block.spans, position, gap);
    else if (block.kind === 'heading') await paintHeading(sheet, parent, block, position);
    else if (block.kind === 'code') await paintCode(sheet, parent, block.text, position);
    else if (block.kind === 'list') await paintList(sheet, parent, block, position);
    else if (block.kind === 'table') await paintRows(sheet, parent, block, position, gap);
    else if (block.kind === 'quote') await paintQuote(sheet, parent, block.blocks, position);
    else {
      sheet.y += 8;
      const { y } = sheet;
      const { x, width } = position;
      sheet.artifact(() =>
        sheet.pdf
          .moveTo(x, y)
          .lineTo(x + width, y)
          .lineWidth(0.5)
          .strokeColor('#c4c8cf')
          .stroke(),
      );
      sheet.y += 14;
    }
  }
}

/** Paints the text of a chapter, below its heading. */
export function paintText(sheet: Sheet, parent: Tag, blocks: readonly PdfBlock[]): Promise<void> {
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []));
  const top = levels.length === 0 ? 1 : Math.min(...levels);
  return paintBlocks(sheet, parent, blocks, { x: page.left, width: textWidth, size: bodySize, top }, 8);
}
