// Opens a CSV file of any size, in any encoding, to read it row by row.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CommandError } from '../../../core/index.ts';
import { type FileRow, parseRows, separatorOf } from './parse-rows.ts';

/** An open CSV file. */
export interface RowFile {
  readonly separator: string;
  readonly bytes: number;
  /** The number of bytes read so far. */
  readonly position: () => number;
  /** All rows, the headings first. @throws CsvFault if the file is not valid CSV */
  rows(): AsyncGenerator<FileRow>;
}

/** The number of bytes that are read to recognise the encoding and the separator. */
const inspectedBytes = 65_536;

/** The encoding of a file that begins with these bytes. */
function encodingOf(head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Without a byte order mark, UTF-16 is recognised by the zero bytes of its ASCII characters. UTF-8 text has no zero bytes.
  const zero = head.indexOf(0);
  if (zero === -1) return 'utf-8';
  return zero % 2 === 1 ? 'utf-16le' : 'utf-16be';
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch (cause) {
    throw new CommandError(
      `--encoding ${encoding}: no encoding has this name. Give a name of the Encoding Standard, such as windows-1252 or shift_jis.`,
      { exitCode: 2, cause },
    );
  }
}

async function inspect(path: string, fileName: string): Promise<{ head: Buffer; bytes: number }> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(inspectedBytes), 0, inspectedBytes, 0);
      return { head: buffer.subarray(0, bytesRead), bytes: size };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new CommandError(`${fileName} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function* decoded(stream: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  for await (const bytes of stream) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/**
 * Opens a file. `fileName` is its name in messages.
 * @param encoding a label of the Encoding Standard (Default: UTF-16 if the file looks like it, otherwise UTF-8)
 * @throws CommandError if it cannot be read, or the encoding is unknown
 */
export async function openRows(path: string, fileName: string, encoding?: string): Promise<RowFile> {
  const { head, bytes } = await inspect(path, fileName);
  const usedEncoding = encoding ?? encodingOf(head);
  const start = decoderOf(usedEncoding).decode(head, { stream: true });
  const stream = createReadStream(path);
  return {
    separator: separatorOf(start),
    bytes,
    position: () => stream.bytesRead,
    rows: () => parseRows(Readable.from(decoded(stream, usedEncoding)), start, fileName),
  };
}
