// A plugin whose job holds credits, works, and settles the hold. For the test in which a process is killed during the work. Both the
// test and the process compose it.
import { defineJob, definePlugin, z } from '../../core/index.ts';
import { createService, type Service } from '../../core/kernel/compose.ts';
import { type Place, storageOf } from './mail-service.ts';

/** The credits that the job holds, and the job's final cost. */
export const held = 100;
export const price = 30;
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
export function createHoldsService(place: Place, aheadMs: () => number, hooks: HoldsHooks): Service {
  const work = defineJob({
    kind: 'holds.work',
    payload: z.object({ holdId: z.string() }),
    async handler(context, { holdId }) {
      await hooks.work();
      await context.complete(async ({ settle }) => hooks.settled(await settle(holdId, price)));
    },
  });
  return createService<string>({
    storage: storageOf(place),
    environment: 'development',
    plugins: [definePlugin({ id: 'holds', jobs: [work] })],
    clock: { now: () => Date.now() + aheadMs() },
    settings: { jobLeaseMs: 60_000 },
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
}
