// Cells of a file that spreadsheets open. A cell that would begin a formula gets a quote in front; the quote is removed
// when the cell is read back. See OWASP, "CSV injection". Pure except for loading csv-stringify.

/** The last four are the full-width forms of = + - @, which some spreadsheets read as the plain characters. */
const formulaStart = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** The cell to write. A cell that already looks neutralised gets another quote, so that reading restores it exactly. */
export const neutralise = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

/** The original cell. */
export const restore = (cell: string): string =>
  cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;

/** Lines of cells as CSV. */
export async function csvOf(lines: readonly (readonly string[])[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  return stringify(lines.map((cells) => cells.map(neutralise)));
}
