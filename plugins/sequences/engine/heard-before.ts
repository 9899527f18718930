// A run that begins to wait for an event about a send may find that event on the send's timeline already, because a report can arrive
// before the wait begins. Called when a run begins to wait, in the transaction of its step.
import type { RunContext, Settled } from '../interpreter/types.ts';
import { stepsOf } from '../store.ts';
import type { OpenRun } from './open-run.ts';

/** The decision for an awaited event that is already on the timeline; undefined if there is none. */
export async function heardBefore(
  { ctx, run, version }: OpenRun,
  runContext: RunContext,
  decision: Settled,
): Promise<Settled | undefined> {
  if (decision.kind !== 'wait' || run.state?.phase === 'waiting') return undefined;
  const awaited = version.interpreter.awaits(decision.state);
  if (awaited === undefined) return undefined;
  const steps = await stepsOf(ctx.trx, run.id);
  const sendId = steps.findLast(({ node_id: nodeId }) => nodeId === awaited.ofNode)?.output?.['sendId'];
  if (typeof sendId !== 'string') return undefined;
  // Locks the send: any later report then finds the run waiting.
  const send = await ctx.services.sendReports.hold(ctx.trx, sendId);
  const ended = new Set(steps.map(({ output }) => output?.['eventId']));
  for (const item of send?.events ?? []) {
    if (item.type !== awaited.type || ended.has(item.id)) continue;
    const event = {
      id: item.id,
      type: item.type,
      at: Date.parse(item.ts),
      metadata: null,
      data: { ...send, event: item },
    };
    const woken = version.interpreter.wake(decision.state, runContext, event);
    if (woken !== undefined) return woken;
  }
  return undefined;
}
