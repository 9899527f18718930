/** The kind of the job that draws the link picture of a published post. Its key is the post's id. */
export const linkPictureKind = 'blog.link_picture';
