/** The kind of blog posts as a surface for approval policies. */
export const surfaceKind = 'blog_post';
