// Checks text for one header line of a mail: subjects, sender names, values of extra headers. Applies the rules of the mail
// adapters, so that they never refuse a text that was accepted before. Pure.

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
const forbiddenCharacter = /[\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]/;
/** If such a gap is folded, a line has only white space, and some mail readers treat it as the end of the header. */
const wideGap = /\s{70}/;
/** Header lines are folded at spaces, and may have 998 octets at most (RFC 5322, section 2.1.1). */
const longWord = /\S{900}/;

/** A sentence about why a text cannot be one header line; undefined if it can. */
export function lineFault(text: string): string | undefined {
  if (forbiddenCharacter.test(text)) return 'It must be one line without control characters.';
  if (wideGap.test(text)) return 'It must not have 70 spaces in a row.';
  if (longWord.test(text)) return 'It must not have a word of 900 characters.';
  return undefined;
}
