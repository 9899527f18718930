// Removes interim answers (1xx) from the bytes that a connection reads. If a server answers `100 Continue` to a request
// without Expect, undici ends the connection; servers and proxies may send it at any time (RFC 9110, section 15.2).
// Called for each connection by connections.ts and, for adapters, by adapters/kit/http-agent.ts. Never changes the
// bytes of a final answer.
import type { Socket } from 'node:net';

/** An interim answer that is longer than this is passed to the parser, which refuses it. */
const maxHead = 65_536;
const interimPattern = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/;
/**
 * The number of bytes that distinguish an interim answer from a final answer, including the character after the status.
 */
const decisiveLength = 'HTTP/1.1 100 '.length;
const statusLineStart = 'HTTP/1.';

/**
 * The length of an interim answer at the beginning of the bytes; 'more' if further bytes are needed; undefined for a
 * final answer.
 */
function headEnd(bytes: Buffer): number | 'more' | undefined {
  const start = bytes.subarray(0, decisiveLength).toString('latin1');
  if (!start.startsWith(statusLineStart.slice(0, start.length))) return undefined;
  if (start.length < decisiveLength) return 'more';
  if (!interimPattern.test(start)) return undefined;
  const end = bytes.indexOf('\r\n\r\n');
  if (end >= 0) return end + 4;
  return bytes.length > maxHead ? undefined : 'more';
}

/** Filters the bytes that are read from the socket. Returns a function that must be called before each request. */
export function skipInterimResponses(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  /** The beginning of an answer whose kind is not known yet; undefined once a final answer has begun. */
  let pendingBytes: Buffer | undefined = Buffer.alloc(0);

  const withoutInterim = (chunk: Buffer): Buffer | undefined => {
    if (pendingBytes === undefined) return chunk;
    pendingBytes = Buffer.concat([pendingBytes, chunk]);
    for (;;) {
      const end = headEnd(pendingBytes);
      if (end === 'more') return undefined;
      if (end === undefined) break;
      pendingBytes = pendingBytes.subarray(end);
    }
    const finalBytes: Buffer = pendingBytes;
    pendingBytes = undefined;
    return finalBytes;
  };

  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size) as Buffer | null;
      if (chunk === null) return null;
      const filteredChunk = withoutInterim(chunk);
      if (filteredChunk !== undefined) return filteredChunk;
    }
  };
  return () => {
    pendingBytes = Buffer.alloc(0);
  };
}
