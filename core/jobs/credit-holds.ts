// Releases expired credit holds, left by work whose process crashed or that never settled. Called by the core's
// schedule; each hold is released in its own transaction. If a call settles the same hold at that moment, the first of
// the two wins.
import { endHold } from '../pipeline/credits.ts';
import { unscoped } from '../storage/scope.ts';
import type { ScheduleCoreContext } from './schedule-context.ts';

const page = 100;

/** Returns the number of released holds. */
export async function releaseExpiredHolds(
  { core, database }: ScheduleCoreContext,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  let released = 0;
  for (;;) {
    const expired = await database.read(unscoped('holds of every workspace expire'), ({ db }) =>
      db
        .selectFrom('credit_holds')
        .select(['id', 'workspace_id'])
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(page)
        .execute(),
    );
    let progress = 0;
    for (const { id, workspace_id } of expired) {
      if (signal.aborted) return released;
      const details = { now, newId: (prefix: string) => core.ports.ids.create(prefix) };
      const done = await database.transact(async (scope) => {
        const ended = await endHold(scope.handle(workspace_id), { id, kind: 'release', price: 0 }, details);
        await scope.flush();
        return ended;
      });
      if (done) progress += 1;
    }
    released += progress;
    if (expired.length < page || progress === 0) return released;
  }
}
