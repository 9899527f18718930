// Tells handlers whether an attempt of a job ended because the service stops, or because the attempt failed.

/** Whether the service is stopping. An attempt that exceeded its time limit is an ordinary failure. */
export const isStoppedAttempt = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Error && reason.name === 'JobStopped';
