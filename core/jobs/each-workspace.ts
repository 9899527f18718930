// Runs a transaction in every workspace, one after another. Called by schedules that enqueue a job for each.
import type { TransactionContext } from '../contract/context/context.ts';
import { createEffects } from '../pipeline/call-effects.ts';
import type { Core } from '../pipeline/core.ts';
import { listWorkspaces } from '../pipeline/workspaces.ts';
import type { Database } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';

const page = 100;

/** All workspaces that are not suspended, oldest first, until the signal is aborted. */
export async function eachWorkspace(
  core: Core,
  database: Database,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
  work: (ctx: TransactionContext) => Promise<void>,
): Promise<void> {
  for (let after: string | undefined, more = true; more; ) {
    const from = after;
    const workspaces = await database.read(unscoped('the schedule goes through every workspace'), (handle) =>
      listWorkspaces(handle, core.plans, { limit: page, after: from }),
    );
    for (const workspace of workspaces.filter(({ suspended }) => !suspended)) {
      if (signal.aborted) return;
      const sandbox = workspace.plan.name === 'sandbox';
      const { committed } = await database.transact(async (scope) => {
        const ctx = createEffects({ core, scope, workspace, now, sandbox });
        await work(ctx);
        await scope.flush();
        return ctx;
      });
      committed(false);
    }
    after = workspaces.at(-1)?.id;
    more = workspaces.length === page;
  }
}
