// Text that goes into one header line of a mail: subjects, sender names, values of extra headers. Held against the same
// rules as mail adapters hold it, so that what was accepted is never refused at the hand-over. Pure.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const breaking = /[\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]/;
/** Folded, so much white space makes a line of nothing else, which some readers take for the end of the header. */
const wideGap = /\s{70}/;
/** Lines are folded where there is a space, and have 998 octets at most (RFC 5322, section 2.1.1). */
const longWord = /\S{900}/;

/** Why a text cannot stand in one header line, as a sentence; undefined where it can. */
export function lineFault(text: string): string | undefined {
  if (breaking.test(text)) return 'It must be one line without control characters.';
  if (wideGap.test(text)) return 'It must not have 70 spaces in a row.';
  if (longWord.test(text)) return 'It must not have a word of 900 characters.';
  return undefined;
}
