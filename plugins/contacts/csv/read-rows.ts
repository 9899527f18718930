// Reads a CSV file of any size row by row. Skips a byte order mark, handles quotes and detects the separator.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { CommandError } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';

/** One row of the file. */
export interface FileRow {
  /** The line in which the row ends, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** An open CSV file. */
export interface RowFile {
  readonly separator: string;
  readonly bytes: number;
  /** The number of bytes read so far. */
  readonly position: () => number;
  /** All rows, the headings first. @throws CommandError if the file is not valid CSV */
  rows(): AsyncGenerator<FileRow>;
}

const separators = [',', ';', '\t'];
const maxRowLength = 1_048_576;

/** `sep=;`: a first line with which spreadsheets specify the separator. It is not a row. */
const namedSeparator = /^\uFEFF?"?sep=([^\r\n])"?[ \t]*(?:\r\n?|\n|$)/i;

/** The separator that the file specifies, or the separator that occurs most often in the first line, outside quotes. */
function separatorOf(start: string): string {
  const [, named] = namedSeparator.exec(start) ?? [];
  if (named !== undefined) return named;
  const line = start.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0] ?? '';
  const counts = separators.map((separator) => line.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

async function inspect(path: string, shown: string): Promise<{ start: string; bytes: number }> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
      const head = buffer.subarray(0, bytesRead);
      const isMarked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
      // Without a byte order mark, UTF-16 is recognised by the zero bytes of its ASCII characters. UTF-8 text has no zero bytes.
      if (isMarked || head.includes(0)) throw new CommandError(`${shown} is UTF-16. Save it as UTF-8.`);
      return { start: head.toString('utf8'), bytes: size };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${shown} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Opens a file. `shown` is its name in messages. @throws CommandError if it cannot be read */
export async function openRows(path: string, shown: string): Promise<RowFile> {
  const { start, bytes } = await inspect(path, shown);
  const separator = separatorOf(start);
  const firstLine = namedSeparator.test(start) ? 2 : 1;
  const stream = createReadStream(path);
  return {
    separator,
    bytes,
    position: () => stream.bytesRead,
    async *rows() {
      const { parse } = await import('csv-parse');
      const parser = stream.pipe(
        parse({
          bom: true,
          delimiter: separator,
          from_line: firstLine,
          info: true,
          max_record_size: maxRowLength,
          relax_column_count: true,
          // A quote inside an unquoted cell, as in 5" pipe, is an ordinary character.
          relax_quotes: true,
          skip_empty_lines: true,
          // "email", "name": a space before a quote is not part of the cell.
          trim: true,
        }),
      );
      stream.on('error', (error) => parser.destroy(error));
      try {
        for await (const { record, info } of parser as AsyncIterable<{
          readonly record: readonly string[];
          readonly info: { readonly lines: number };
        }>)
          yield { line: info.lines, cells: record };
      } catch (error) {
        const reason = beginning((error as Error).message.replace(/^Invalid Record/, 'a row is broken'), 200);
        throw new CommandError(`${shown} is no CSV that can be read: ${reason}. Is a quote left open?`, {
          cause: error,
        });
      } finally {
        stream.destroy();
      }
    },
  };
}
