// Text for one header line of a mail: subjects, sender names, values of extra headers. Applies the rules of the mail
// adapters, so that a text which was accepted is never refused when the mail is handed over. Pure.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const breaking = /[\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]/;
/** Folding such a gap makes a line of white space only, which some mail readers take for the end of the header. */
const wideGap = /\s{70}/;
/** Header lines are folded at spaces, and may have 998 octets at most (RFC 5322, section 2.1.1). */
const longWord = /\S{900}/;

/** The reason why a text cannot be one header line, as a sentence; undefined where it can. */
export function lineFault(text: string): string | undefined {
  if (breaking.test(text)) return 'It must be one line without control characters.';
  if (wideGap.test(text)) return 'It must not have 70 spaces in a row.';
  if (longWord.test(text)) return 'It must not have a word of 900 characters.';
  return undefined;
}
