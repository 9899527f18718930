// The path of a run's page in the console. Called by the pages and by the redirect from their old address.

/** A run is found by its id alone, so its sequence is not part of the path. */
export const runPath = (runId: string): string => `sequences/runs/${runId}`;
