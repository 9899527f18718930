/** The kind of the job that draws the link picture of a published page. Its key is the page's id. */
export const linkPictureKind = 'pages.link_picture';
