// Which characters the standard fonts of PDF have, and how text is made ready for painting. Pure.

/** Windows-1252 above ASCII, beside U+00A0 to U+00FF. */
const beyond = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const extra = new Set([...beyond].map((character) => character.codePointAt(0)));

/** Whether Helvetica, Times and Courier have it. */
export const isStandard = (code: number): boolean =>
  (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || extra.has(code);

/** Read from right to left: lines of it would be painted the wrong way round. */
export const isRightToLeft = (character: string): boolean =>
  /[\u0590-\u08ff\u200f\u202b\u202e\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(
    character,
  );

/** Signs that mean the same. */
const alike: Readonly<Record<string, string>> = { '‐': '-', '‑': '-', '−': '–', '―': '—', '⁄': '/', ʼ: '’' };

/** Composed, without signs that are never painted. `has` says which characters the fonts have. */
export const printable = (text: string, has: (character: string) => boolean): string =>
  text
    .normalize('NFC')
    .replace(/\u00ad|[\u200b-\u200d]|\u2060|\ufeff|\ufe0e|\ufe0f/g, '')
    .replace(/[\u2000-\u200a\u202f\u205f\u3000]/g, '\u00a0')
    .replace(/\t/g, '    ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(/[‐‑−―⁄ʼ]/g, (sign) => (has(sign) ? sign : (alike[sign] ?? sign)));

/** Written without spaces: a line may end after any of them. */
export const breaksAnywhere = (character: string): boolean =>
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u.test(character);
