// Splits CSV into rows. Skips a byte order mark and empty rows, handles quotes and detects the separator. Called with the bytes of a
// file by read-file.ts, and with the text of a request by the import of the API.
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { beginning } from '../../../core/unstable.ts';
import { CsvFault } from './faults.ts';

/** One row of the file. */
export interface FileRow {
  /** The line in which the row ends, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const separators = [',', ';', '\t', '|'];
const maxRowLength = 1_048_576;

/** `sep=;`: a first line with which spreadsheets specify the separator. It is not a row. */
const namedSeparator = /^\uFEFF?"?sep=([^\r\n])"?[ \t]*(?:\r\n?|\n|$)/i;

/** The separator that the file specifies, or the separator that occurs most often in the first line, outside quotes. */
export function separatorOf(start: string): string {
  const [, separator] = namedSeparator.exec(start) ?? [];
  if (separator !== undefined) return separator;
  const line = start.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0] ?? '';
  const counts = separators.map((separator) => line.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

/**
 * All rows, the headings first. `start` is the beginning of the text.
 * @param fileName the name of the file in messages
 * @throws CsvFault if the source is not valid CSV
 */
export async function* parseRows(source: Readable, start: string, fileName: string): AsyncGenerator<FileRow> {
  const { parse } = await import('csv-parse');
  const parser = source.pipe(
    parse({
      bom: true,
      delimiter: separatorOf(start),
      from_line: namedSeparator.test(start) ? 2 : 1,
      info: true,
      max_record_size: maxRowLength,
      // All three kinds of line end, because a file that was joined from several files may contain several kinds.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // A quote inside an unquoted cell, as in 5" pipe, is an ordinary character.
      relax_quotes: true,
      skip_empty_lines: true,
      // "email", "name": a space before a quote is not part of the cell.
      trim: true,
    }),
  );
  source.on('error', (error) => parser.destroy(error));
  // The parser counts a CRLF inside a cell as two lines.
  let excess = 0;
  try {
    // Spreadsheets write lines of separators for empty rows.
    for await (const { record, info } of parser as AsyncIterable<{
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }>) {
      for (const cell of record) excess += cell.includes('\r\n') ? cell.split('\r\n').length - 1 : 0;
      if (record.some((cell) => cell !== '')) yield { line: info.lines - excess, cells: record };
    }
  } catch (error) {
    const reason = beginning((error as Error).message.replace(/^Invalid Record/, 'a row is broken'), 200);
    throw new CsvFault(`${fileName} is no CSV that can be read: ${reason}. Is a quote left open?`, 'csv', {
      cause: error,
    });
  } finally {
    source.destroy();
  }
}

/** The number of characters of a text that are parsed before other work gets its turn. */
const slice = 65_536;

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    let end = at + slice;
    // A character of two units stays in one slice.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
    yield text.slice(at, end);
    // Without this, the stream would read the whole text before timers and requests get their turn.
    await setImmediate();
    at = end;
  }
}

/** All rows of a text, the headings first. @throws CsvFault if it is not valid CSV */
export const parseText = (text: string): AsyncGenerator<FileRow> =>
  parseRows(Readable.from(slicesOf(text)), text.slice(0, slice), 'The file');
