// Divides the time of one invocation. Used by index.ts.

/** The part of Lambda's context that the host reads. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** The time in which attempts may start, and the time to wait for running attempts. */
export interface Budget {
  /** Milliseconds in which attempts may start. */
  readonly budgetMs: number;
  /** Milliseconds that running attempts have afterwards. */
  readonly graceMs: number;
}

/** The maximum time to wait for running attempts. */
const longestGraceMs = 10_000;

/**
 * The remaining time of the invocation without the margin: three quarters to start attempts, the rest for attempts that are then
 * running. `maxMs` shortens the first part.
 */
export function budgetOf(context: LambdaContext, marginMs: number, maxMs = Number.POSITIVE_INFINITY): Budget {
  const remainingMs = Math.max(0, context.getRemainingTimeInMillis() - marginMs);
  const budgetMs = Math.min(maxMs, Math.floor(remainingMs * 0.75));
  return { budgetMs, graceMs: Math.min(longestGraceMs, remainingMs - budgetMs) };
}
