/** The id of the content kind of pages. */
export const pageKindId = 'page';
