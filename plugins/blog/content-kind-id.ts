/** The id of the content kind of blog posts. */
export const blogPostKindId = 'blog_post';
