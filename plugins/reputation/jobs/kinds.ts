/** Judges the windows to which a report belongs. */
export const judgeKind = 'reputation.judge';
/** Merges rows of hand-overs. */
export const mergeKind = 'reputation.merge';
