// Estimates the number of values in a JSON text before it is parsed: JSON.parse needs seconds for millions of brackets.
// Called by body.ts.

const [quote, comma, openBracket, openBrace, backslash] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c];

/** A text or its bytes, one unit at a time. */
interface Units {
  readonly length: number;
  at(index: number): number | undefined;
  /** The index of the next quotation mark; -1 if there is none. */
  quoteFrom(index: number): number;
}

function unitsOf(json: string | Uint8Array): Units {
  if (typeof json === 'string') {
    return {
      length: json.length,
      at: (index) => json.charCodeAt(index),
      quoteFrom: (index) => json.indexOf('"', index),
    };
  }
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return { length: bytes.length, at: (index) => bytes[index], quoteFrom: (index) => bytes.indexOf(quote, index) };
}

/** The index after a string that starts at `start`; indexOf skips long strings fast. */
function afterString(units: Units, start: number): number {
  for (let end = units.quoteFrom(start + 1); end !== -1; end = units.quoteFrom(end + 1)) {
    let precedingIndex = end - 1;
    while (units.at(precedingIndex) === backslash) precedingIndex -= 1;
    if ((end - precedingIndex) % 2 === 1) return end + 1;
  }
  return units.length;
}

/**
 * Whether a JSON text has more values than `limit` allows. Counts commas and opening brackets: there are at most two of them
 * for each value. So a text with `limit` values always passes, and a text with twice as many never does.
 */
export function hasTooManyValues(json: string | Uint8Array, limit: number): boolean {
  // The text is too short for that many commas and brackets.
  if (json.length <= 2 * limit) return false;
  const units = unitsOf(json);
  let remaining = 2 * limit;
  for (let index = 0; index < units.length; ) {
    const unit = units.at(index);
    if (unit === quote) {
      index = afterString(units, index);
      continue;
    }
    if (unit === comma || unit === openBracket || unit === openBrace) {
      remaining -= 1;
      if (remaining < 0) return true;
    }
    index += 1;
  }
  return false;
}
