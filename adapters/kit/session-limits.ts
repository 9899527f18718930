// The time limits of the adapters for database servers: their defaults and their check. Called by postgres.ts, mysql.ts and
// kysely.ts of the storage adapters.

/** Limits that apply to every transaction, in milliseconds. 0 means no limit. */
export interface SessionLimits {
  readonly waitMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

/**
 * The limits of the input, with defaults for the missing ones. @throws RangeError for a value that is not a number of
 * milliseconds
 */
export function sessionLimits(input: { readonly [K in keyof SessionLimits]?: number | undefined }): SessionLimits {
  const limits: SessionLimits = {
    waitMs: input.waitMs ?? 10_000,
    statementTimeoutMs: input.statementTimeoutMs ?? 30_000,
    lockTimeoutMs: input.lockTimeoutMs ?? 10_000,
    idleInTransactionTimeoutMs: input.idleInTransactionTimeoutMs ?? 60_000,
  };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`${name} must be whole milliseconds, not ${value}.`);
  }
  return limits;
}
