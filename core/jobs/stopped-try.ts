// Why an attempt of a job ended, for handlers that distinguish a stop of the service from their own failure.

/** Whether the service is stopping. An attempt that exceeded its time limit is an ordinary failure. */
export const isStoppedTry = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Error && reason.name === 'JobStopped';
