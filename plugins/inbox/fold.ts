// Text in the form in which it is searched: without case, and with compatibility forms written plainly.

/** The folded text. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
