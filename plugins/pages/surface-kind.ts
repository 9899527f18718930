/** The kind of pages as a surface for approval policies. */
export const surfaceKind = 'page';
