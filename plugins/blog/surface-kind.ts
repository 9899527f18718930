/** The kind of blog posts among what approval policies hold. */
export const surfaceKind = 'blog_post';
