// Folds text for searching: lower case, with compatibility characters replaced (NFKC).

export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
