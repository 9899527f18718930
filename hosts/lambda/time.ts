// How the time of one invocation is divided. Used by index.ts.

/** The part of Lambda's context that the host reads. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** How long tries may run and wait for their end. */
export interface Budget {
  /** Milliseconds in which tries may begin. */
  readonly budgetMs: number;
  /** Milliseconds that running tries have after that. */
  readonly graceMs: number;
}

/** The largest time that running tries are waited for. */
const longestGraceMs = 10_000;

/**
 * What is left of the invocation, without the margin: three quarters to begin tries in, the rest for those that run
 * then. `maxMs` shortens the first part.
 */
export function budgetOf(context: LambdaContext, marginMs: number, maxMs = Number.POSITIVE_INFINITY): Budget {
  const left = Math.max(0, context.getRemainingTimeInMillis() - marginMs);
  const budgetMs = Math.min(maxMs, Math.floor(left * 0.75));
  return { budgetMs, graceMs: Math.min(longestGraceMs, left - budgetMs) };
}
