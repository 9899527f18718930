// Lines of a byte stream, as in the stdio transport: one message on each line, UTF-8, ended by LF or CRLF. A character
// may be split between two chunks, and a line may arrive in many chunks. Called by bridge.ts.

/** A line, or the fault of a line that is too long or not valid UTF-8. */
export type Line = { readonly text: string } | { readonly fault: string };

const lineFeed = 0x0a;

function decode(parts: readonly Uint8Array[]): Line {
  try {
    // Also removes a byte order mark, which some Windows shells write first.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)).trim() };
  } catch {
    return { fault: 'The line is not valid UTF-8.' };
  }
}

/**
 * The lines of a stream, without empty lines. The last line may lack its line break. Lines longer than `maxBytes` are discarded and
 * yield a fault.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array) => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts = [];
  };
  const end = (): Line => {
    const line = length > maxBytes ? { fault: `The line is longer than ${maxBytes} bytes.` } : decode(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      take(chunk.subarray(from, at));
      from = at + 1;
      const line = end();
      if ('fault' in line || line.text !== '') yield line;
    }
    take(chunk.subarray(from));
  }
  const last = end();
  if ('fault' in last || last.text !== '') yield last;
}
