// Converts the refusal of an operation into the outcome of the step that called it.

import { isPostriderError } from '../../../../core/index.ts';
import { beginning } from '../../../../core/unstable.ts';
import type { ActionResult } from '../../interpreter/types.ts';

/** The start of the next month (UTC), when budgets are reset. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

const budgetCodes: ReadonlySet<string> = new Set(['send_budget_exhausted', 'sms_budget_exhausted']);
/** HTTP statuses of refusals that a retry cannot change. */
const permanentStatuses: ReadonlySet<number> = new Set([400, 403, 413, 422]);

/**
 * Runs the calls of an action. A refusal becomes an outcome. A database error is thrown, and the whole step is retried.
 */
export async function attemptAction(now: number, act: () => Promise<ActionResult>): Promise<ActionResult> {
  try {
    return await act();
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    const { code, message, status } = error;
    if (budgetCodes.has(code)) return { kind: 'later', until: nextMonth(now), reason: code };
    if (code === 'credits_exhausted') return { kind: 'skipped', reason: code };
    return { kind: 'failed', reason: beginning(`${code}: ${message}`, 500), final: permanentStatuses.has(status) };
  }
}
