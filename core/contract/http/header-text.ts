// Encodes names that callers chose as header values. Used for types of custom events.

/** Percent-encodes `%` and everything except visible ASCII: a custom event may have any name, but a header value may not. */
export function headerText(text: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  return text.replace(/[^!-~]|%/gu, encoded);
}
