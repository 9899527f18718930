// Formats rows under headings, in columns as wide as their widest cell. Used by context.ts and by commands.
import type { TerminalOutput } from './terminal.ts';

/** The visible part of a text, without the escape sequences that colour it. */
const plain = (text: string): string => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');

/** The lines, with the headings first; empty if there are no rows. */
export function alignedRows(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { colours }: Pick<TerminalOutput, 'colours'>,
): string[] {
  if (rows.length === 0) return [];
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => plain(row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - plain(cell).length)))
      .join('  ')
      .trimEnd();
  return [colours.dim(line(headings.map((heading) => heading.toUpperCase()))), ...rows.map(line)];
}
