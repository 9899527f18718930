// Names that callers make up, as values of headers. Used for types of custom events.

/** A custom event may have any name, a header may not: what is no visible ASCII is percent-encoded, % itself, too. */
export function headerText(text: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  return text.replace(/[^!-~]|%/gu, encoded);
}
