// The job kinds of builds.

/** Builds a page. */
export const buildKind = 'pages.build';
/** Ends a build that takes too long. Its key is the page's id. */
export const endBuildKind = 'pages.end_build';
