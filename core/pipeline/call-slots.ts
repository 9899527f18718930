// Limits how many calls of one operation a workspace has in flight (`atOnce`): counted in this process for the whole call, and
// over all processes for its transaction. Called by execute.ts and call-transaction.ts.
import type { Operation } from '../contract/declaration/operation.ts';
import type { TransactionScope } from '../storage/database.ts';
import type { Core } from './core.ts';

/** Calls in flight by operation and workspace; one map for each service. */
const inFlight = new WeakMap<Core, Map<string, number>>();

/**
 * Runs a call in one of the slots of this process. If no slot is free, calls `replay`: a stored answer needs no slot.
 * @throws the error of `atOnce`
 */
export async function withCallSlot<T>(
  core: Core,
  { id, atOnce }: Operation,
  workspaceId: string,
  work: () => Promise<T>,
  replay: () => Promise<T | undefined>,
): Promise<T> {
  if (atOnce === undefined) return work();
  const counts = inFlight.get(core) ?? new Map<string, number>();
  inFlight.set(core, counts);
  const key = `${id}:${workspaceId}`;
  const count = counts.get(key) ?? 0;
  if (count >= atOnce.limit) {
    const answer = await replay();
    if (answer === undefined) throw atOnce.refused();
    return answer;
  }
  counts.set(key, count + 1);
  try {
    return await work();
  } finally {
    const remainingCalls = (counts.get(key) ?? 1) - 1;
    if (remainingCalls === 0) counts.delete(key);
    else counts.set(key, remainingCalls);
  }
}

/**
 * Takes one of the slots that all processes share, until the transaction ends. Takes none in a transaction of the program: that
 * transaction may stay open for any time, and would keep the slot from all other calls.
 * @throws the error of `atOnce`
 */
export async function takeCallSlot(
  { id, atOnce }: Operation,
  workspaceId: string,
  scope: Pick<TransactionScope, 'tryLock' | 'joined'>,
): Promise<void> {
  if (atOnce === undefined || scope.joined) return;
  for (let slot = 0; slot < atOnce.limit; slot += 1)
    if (await scope.tryLock(`at_once:${id}:${workspaceId}:${slot}`)) return;
  throw atOnce.refused();
}
