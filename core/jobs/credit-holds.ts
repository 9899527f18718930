// Releases expired credit holds of work that never settled them, for example because its process crashed. Called by the core's
// schedule; each hold is released in its own transaction. If a call settles the same hold at that moment, the first of
// the two transactions wins.
import { endHold } from '../pipeline/credits.ts';
import { unscoped } from '../storage/scope.ts';
import type { ScheduleCoreContext } from './schedule-context.ts';

const page = 100;

/** Releases all expired holds, page by page, until the signal is aborted. Returns the number of released holds. */
export async function releaseExpiredHolds(
  { core, database }: ScheduleCoreContext,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  let releasedCount = 0;
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
    let releasedInPage = 0;
    for (const { id, workspace_id } of expired) {
      if (signal.aborted) return releasedCount;
      const details = { now, newId: (prefix: string) => core.ports.ids.create(prefix) };
      const wasEnded = await database.transact(async (scope) => {
        const ended = await endHold(scope.handle(workspace_id), { id, kind: 'release', price: 0 }, details);
        await scope.flush();
        return ended;
      });
      if (wasEnded) releasedInPage += 1;
    }
    releasedCount += releasedInPage;
    if (expired.length < page || releasedInPage === 0) return releasedCount;
  }
}
