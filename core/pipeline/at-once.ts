// Limits how many calls of one operation a workspace has in flight (`atOnce`): counted in this process for the whole call, and
// over all processes for its transaction. Called by execute.ts.
import type { Operation } from '../contract/operation.ts';
import type { TransactionScope } from '../storage/database.ts';
import type { Core } from './core.ts';

/** Calls in flight by operation and workspace; one map for each service. */
const inFlight = new WeakMap<Core, Map<string, number>>();

/**
 * Runs a call in one of the places of this process. If no place is free, `otherwise` may still return an answer: a replay does
 * no work.
 * @throws the error of `atOnce`
 */
export async function inPlace<T>(
  core: Core,
  { id, atOnce }: Operation,
  workspaceId: string,
  work: () => Promise<T>,
  otherwise: () => Promise<T | undefined>,
): Promise<T> {
  if (atOnce === undefined) return work();
  const counts = inFlight.get(core) ?? new Map<string, number>();
  inFlight.set(core, counts);
  const place = `${id}:${workspaceId}`;
  const count = counts.get(place) ?? 0;
  if (count >= atOnce.limit) {
    const answer = await otherwise();
    if (answer === undefined) throw atOnce.refused();
    return answer;
  }
  counts.set(place, count + 1);
  try {
    return await work();
  } finally {
    const left = (counts.get(place) ?? 1) - 1;
    if (left === 0) counts.delete(place);
    else counts.set(place, left);
  }
}

/**
 * Takes one of the places of all processes until the transaction ends. Takes none in a transaction of the program, because that
 * may stay open for any time and would block the place for all other calls.
 * @throws the error of `atOnce`
 */
export async function takePlace(
  { id, atOnce }: Operation,
  workspaceId: string,
  scope: Pick<TransactionScope, 'tryLock' | 'joined'>,
): Promise<void> {
  if (atOnce === undefined || scope.joined) return;
  for (let place = 0; place < atOnce.limit; place += 1)
    if (await scope.tryLock(`at_once:${id}:${workspaceId}:${place}`)) return;
  throw atOnce.refused();
}
