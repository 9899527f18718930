// Names chosen by callers, as values of headers. Used for types of custom events.

/** A custom event may have any name, a header may not: everything but visible ASCII is percent-encoded, and so is %. */
export function headerText(text: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  return text.replace(/[^!-~]|%/gu, encoded);
}
