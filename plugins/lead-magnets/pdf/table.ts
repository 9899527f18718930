// Paints a table: columns of equal width whose cells wrap, the header in bold, a rule below each row.
import type { PdfBlock, TextSpan } from './markdown.ts';
import { leadingOf, type Sheet, type Tag } from './sheet.ts';

interface TablePosition {
  readonly x: number;
  readonly width: number;
  readonly size: number;
}

export type Table = PdfBlock & { readonly kind: 'table' };

const gutter = 12;
const minColumnWidth = 48;

/** Whether its columns are wide enough to read. */
export const hasReadableColumns = ({ rows }: Table, width: number): boolean =>
  width / Math.max(1, ...rows.map((row) => row.length)) >= minColumnWidth;

function paintRule(sheet: Sheet, { x, width }: TablePosition, colour: string): void {
  const { y } = sheet;
  sheet.artifact(() =>
    sheet.pdf
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(0.5)
      .strokeColor(colour)
      .stroke(),
  );
}

/** Paints a row. Its cells grow line by line together, over as many pages as needed. */
async function paintRow(
  sheet: Sheet,
  table: Tag,
  cells: readonly (readonly TextSpan[])[],
  { isHead, isRtl }: { readonly isHead: boolean; readonly isRtl: boolean },
  position: TablePosition,
) {
  const { x, width, size } = position;
  const leading = leadingOf(size);
  const column = width / cells.length;
  const row = sheet.tag(table, 'TR');
  const typesetCells = [];
  for (const spans of cells) {
    const lines = await sheet.lines(spans, { role: 'body', size, width: column - gutter, isRtl });
    typesetCells.push({ lines, tag: sheet.tag(row, isHead ? 'TH' : 'TD') });
  }
  const height = Math.max(1, ...typesetCells.map(({ lines }) => lines.length));
  // A header stays on the same page as the row below it.
  if (!sheet.hasRoom(Math.min(height, 3) * leading + (isHead ? 2 * leading : 0) + 10)) sheet.addPage();
  sheet.y += 5;
  for (let index = 0; index < height; index += 1) {
    if (!sheet.hasRoom(leading)) sheet.addPage();
    for (const [at, { lines, tag }] of typesetCells.entries()) {
      const colour = isHead ? sheet.colours.strong : sheet.colours.ink;
      sheet.paintLine(
        tag,
        lines[index] ?? [],
        x + (isRtl ? cells.length - 1 - at : at) * column + (isRtl ? gutter : 0),
        sheet.y + size * 1.08,
        size,
        colour,
      );
    }
    sheet.y += leading;
  }
  for (const { tag } of typesetCells) tag.end();
  row.end();
  sheet.y += 4;
  paintRule(sheet, position, isHead ? sheet.colours.strong : '#c4c8cf');
}

export async function paintTable(sheet: Sheet, parent: Tag, { rows }: Table, context: TablePosition): Promise<void> {
  const table = sheet.tag(parent, 'Table');
  const isRtl = sheet.isRtlIn(rows.flatMap((cells) => cells.flatMap((cell) => cell.map(({ text }) => text))).join(' '));
  for (const [index, cells] of rows.entries()) {
    await paintRow(sheet, table, cells, { isHead: index === 0, isRtl }, context);
    await sheet.pause();
  }
  table.end();
  sheet.y += 14;
}
