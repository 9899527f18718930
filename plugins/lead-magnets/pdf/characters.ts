// The characters of the standard PDF fonts, and the preparation of text for painting. Pure.

/** The characters of Windows-1252 beyond ASCII and U+00A0 to U+00FF. */
const beyond = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const extra = new Set([...beyond].map((character) => character.codePointAt(0)));

/** Whether Helvetica, Times and Courier have the character. */
export const isStandard = (code: number): boolean =>
  (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || extra.has(code);

/** Whether the character is read from right to left. Lines with such characters would be painted in the wrong order. */
export const isRightToLeft = (character: string): boolean =>
  /[\u0590-\u08ff\u200f\u202b\u202e\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(
    character,
  );

/** Replacements with the same meaning. */
const lookAlikes: Readonly<Record<string, string>> = { '‐': '-', '‑': '-', '−': '–', '―': '—', '⁄': '/', ʼ: '’' };

/**
 * Composes the text and removes characters that are never painted. `has` returns whether the fonts have a character.
 */
export const printable = (text: string, has: (character: string) => boolean): string =>
  text
    .normalize('NFC')
    .replace(/\u00ad|[\u200b-\u200d]|\u2060|\ufeff|\ufe0e|\ufe0f/g, '')
    .replace(/[\u2000-\u200a\u202f\u205f\u3000]/g, '\u00a0')
    .replace(/\t/g, '    ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(/[‐‑−―⁄ʼ]/g, (sign) => (has(sign) ? sign : (lookAlikes[sign] ?? sign)));

/** Whether the script is written without spaces, so that a line may end after any character. */
export const breaksAnywhere = (character: string): boolean =>
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u.test(character);
