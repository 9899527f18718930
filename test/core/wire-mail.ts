// Parses a raw message like the least careful reader: every header block, of the root and of each part. Used by the attacks on mail. It
// is not a MIME parser and shares no code with the composer of messages.

/** The names of the headers of a message, in lower case and in order */
export interface WireHeaders {
  readonly root: readonly string[];
  readonly parts: readonly (readonly string[])[];
  /** Faults that no well-formed message has: bare line ends, lines that are not headers, lines of white space. */
  readonly faults: readonly string[];
}

const headerLine = /^([!-9;-~]+):/;
/** Characters that some readers treat as the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches these characters.
const lineEnds = /\r\n|[\n\r\v\f\u001c-\u001e\u0085]/;

function namesOf(block: string, faults: string[]): string[] {
  if (/\r(?!\n)|(?<!\r)\n/.test(block)) faults.push('a bare CR or LF in a header');
  const names: string[] = [];
  for (const line of block.split(lineEnds)) {
    const [, name] = headerLine.exec(line) ?? [];
    if (name !== undefined) names.push(name.toLowerCase());
    else if (!/^[ \t]+\S/.test(line)) faults.push(`a line that is not a header: ${JSON.stringify(line.slice(0, 80))}`);
  }
  return names;
}

/** Splits a message into the header names of its root and of each of its parts. */
export function readWireHeaders(raw: Uint8Array): WireHeaders {
  const text = Buffer.from(raw).toString('latin1');
  const faults: string[] = [];
  const end = text.indexOf('\r\n\r\n');
  const root = namesOf(text.slice(0, end), faults);
  const boundaries = [...text.matchAll(/boundary="([^"]+)"/g)].map(([, boundary]) => `--${boundary}\r\n`);
  const parts = boundaries.flatMap((boundary) =>
    text
      .split(boundary)
      .slice(1)
      .map((part) => namesOf(part.slice(0, part.indexOf('\r\n\r\n')), faults)),
  );
  return { root, parts, faults };
}

const partNames = new Set(['content-type', 'content-transfer-encoding', 'content-disposition', 'content-id']);

/** Every part of a message that the fields of its sender do not explain. `own`: the expected names of the root, in lower case. */
export function injectedInto(raw: Uint8Array, own: ReadonlySet<string>): string[] {
  const { root, parts, faults } = readWireHeaders(raw);
  const repeatedNames = root.filter((name, index) => root.indexOf(name) !== index);
  return [
    ...faults,
    ...root.filter((name) => !own.has(name)).map((name) => `a header ${name}`),
    ...repeatedNames.map((name) => `the header ${name} twice`),
    ...parts.flat().flatMap((name) => (partNames.has(name) ? [] : [`a header ${name} in a part`])),
  ];
}
