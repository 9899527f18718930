// Requests with a file (RFC 7578), written while the file is read. Called by the adapters of networks that accept files in this
// form.
import { randomBytes } from 'node:crypto';
import type { SocialRequest } from './http-social.ts';

/** The file of a form. */
export interface FormFile {
  readonly field: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** All bytes as a source of one chunk. */
export async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Quotes the name of a field or file, which comes from this code or from a network. Characters that could break a header become
 * `_`.
 */
const quoted = (name: string): string => `"${name.replace(/["\r\n\\]/g, '_')}"`;

/**
 * The headers and body of a request that sends fields and then a file. The fields come first, because some networks stop reading
 * at the file.
 */
export function formWithFile(
  fields: Readonly<Record<string, string | undefined>>,
  file: FormFile,
): Required<Pick<SocialRequest, 'headers' | 'body'>> {
  const boundary = `postrider-${randomBytes(18).toString('hex')}`;
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const writtenFields = entries.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}\r\n\r\n${value}\r\n`,
  );
  const disposition = `form-data; name=${quoted(file.field)}; filename=${quoted(file.fileName)}`;
  const top = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${file.contentType}\r\n\r\n`;
  const head = Buffer.from(`${writtenFields.join('')}${top}`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* file.chunks;
    yield tail;
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: { bytes: head.byteLength + file.bytes + tail.byteLength, chunks: chunks() },
  };
}
