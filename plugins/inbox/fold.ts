// Folds text for searching: lower case, with compatibility characters replaced (NFKC).

/** The folded text. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
