// The job kinds of builds.

/** Writes a lead magnet. */
export const buildKind = 'lead_magnets.build';
/** Ends a build that takes too long. Its key is the lead magnet's id. */
export const endBuildKind = 'lead_magnets.end_build';
