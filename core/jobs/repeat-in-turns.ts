// Long work in small transactions. A plugin's job calls this with the step that it repeats.
import type { JobContext } from '../contract/declaration/jobs.ts';

/** The time after which a job lets other jobs of its lane run. Every job's time limit is longer by more than one step. */
export const turnMs = 20_000;

/**
 * Repeats a step until it returns false. After 20 seconds, it puts the job back instead: the job runs again when it is
 * its turn, and the attempt is not counted. A job therefore never exceeds its time limit because there is much to do.
 * Each step must remove its rows from the work that is left: a step that skips rows would read them again in each turn,
 * and might never end.
 * @returns whether all steps are done. If not, the job has ended: return from the handler.
 * @throws the reason of `ctx.signal`, if the job must stop
 */
export async function repeatInTurns(ctx: JobContext, step: () => Promise<boolean>): Promise<boolean> {
  const until = ctx.ports.now() + turnMs;
  const began = performance.now();
  for (;;) {
    ctx.signal.throwIfAborted();
    if (!(await step())) return true;
    // The service's clock may be set back during the turn.
    if (ctx.ports.now() < until && performance.now() - began < turnMs) continue;
    const next = { untried: true, relative: true };
    await ctx.retryAt(ctx.ports.now(), 'continues in its next turn', undefined, next);
    return false;
  }
}
