/** The kind of pages among what approval policies hold. */
export const surfaceKind = 'page';
