// Kinds of jobs that operations enqueue.
export const enrollListKind = 'sequences.enroll_list';
export const continueRunsKind = 'sequences.continue_runs';
export const exitRunsKind = 'sequences.exit_runs';
export const emptyRunsKind = 'sequences.empty_runs';
export const removeInterestsKind = 'sequences.forget_versions';
