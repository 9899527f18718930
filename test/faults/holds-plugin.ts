// A plugin whose job holds credits, works, and settles the hold. For the test in which a process is killed during the work. Both the
// test and the process compose it.
import { defineJob, definePlugin, z } from '../../core/index.ts';
import { createService, type Service } from '../../core/kernel/compose.ts';
import { type DatabaseLocation, storageOf } from './mail-service.ts';

/** The credits that the job holds, and the job's final cost. */
export const heldCredits = 100;
export const finalCredits = 30;
/** The lifetime of a hold. */
export const holdMs = 3_600_000;

/** Hooks that a process adds to the job. */
export interface HoldsHooks {
  /** Awaited between the hold and its settlement. */
  work(): Promise<void>;
  /** Called after settling, with whether the hold was found. */
  settled(found: boolean): void;
}

/** Creates the service. `aheadMs` returns how far its clock is ahead. */
export function createHoldsService(location: DatabaseLocation, aheadMs: () => number, hooks: HoldsHooks): Service {
  const work = defineJob({
    kind: 'holds.work',
    payload: z.object({ holdId: z.string() }),
    async handler(context, { holdId }) {
      await hooks.work();
      await context.complete(async ({ settle }) => hooks.settled(await settle(holdId, finalCredits)));
    },
  });
  return createService<string>({
    storage: storageOf(location),
    environment: 'development',
    plugins: [definePlugin({ id: 'holds', jobs: [work] })],
    clock: { now: () => Date.now() + aheadMs() },
    settings: { jobLeaseMs: 60_000 },
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
}
