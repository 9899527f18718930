// The characters of the standard PDF fonts, and the preparation of text for painting. Pure.

/** The characters of Windows-1252 beyond ASCII and U+00A0 to U+00FF. */
const windows1252Extra = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const extraCodes = new Set([...windows1252Extra].map((character) => character.codePointAt(0)));

/** Whether Helvetica, Times and Courier have the character. */
export const isStandard = (code: number): boolean =>
  (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || extraCodes.has(code);

/** Replacements with the same meaning. */
const lookAlikes: Readonly<Record<string, string>> = { '‐': '-', '‑': '-', '−': '–', '―': '—', '⁄': '/', ʼ: '’' };

/**
 * Composes the text and removes characters that are never painted. `has` returns whether the fonts have a character.
 */
export const printable = (text: string, has: (character: string) => boolean): string =>
  text
    .normalize('NFC')
    // Joiners between Arabic letters change their form. Elsewhere they are invisible.
    .replace(/(?<!\p{Script=Arabic}\p{M}*)[\u200c\u200d]/gu, '')
    .replace(/\u00ad|\u200b|\u2060|\ufeff|\ufe0e|\ufe0f|[\u202a-\u202e]/g, '')
    .replace(/[\u2000-\u200a\u202f\u205f]/g, '\u00a0')
    .replace(/\u3000/g, (space) => (has(space) ? space : '\u00a0'))
    .replace(/\t/g, '    ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes these characters
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(/[‐‑−―⁄ʼ]/g, (sign) => (has(sign) ? sign : (lookAlikes[sign] ?? sign)));
