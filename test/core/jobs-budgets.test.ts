// Jobs that end together and count against one budget, on each database: their ends share a transaction, which counts
// each job once, finishes if no other connection is free, and exceeds no budget.
// full-run: slow
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineJob } from '../../core/contract/declaration/jobs.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { eachDatabase, maxConnections } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';

const together = 8;
const budget = 'parcels';

/** Counts a parcel at the end of the job, if the budget has room for it. */
const parcelPlugin = (limit: number, ends: boolean[]) =>
  definePlugin({
    id: 'parcels',
    jobs: [
      defineJob({
        kind: 'parcels.send',
        payload: z.object({}),
        async handler(ctx) {
          await ctx.complete(
            async (tx) => {
              const { exceeded } = await tx.spend(budget, 1, limit);
              ends.push(!exceeded);
            },
            { shared: true },
          );
        },
      }),
    ],
  });

await eachDatabase('jobs that count against a budget', (test, database) => {
  const withParcels = async (
    limit: number,
    run: (parcels: TestService<string>, ends: readonly boolean[]) => Promise<void>,
  ): Promise<void> => {
    const ends: boolean[] = [];
    const service = await migratedTestService<string>(database, {
      plugins: [...standardPlugins, parcelPlugin(limit, ends)],
    });
    try {
      await run(service, ends);
    } finally {
      await service.close();
    }
  };

  /** Runs `work` while at most `free` connections are free. SQLite runs transactions one after another. */
  const whileFew = async (
    { core }: TestService<string>['service'],
    free: number,
    work: () => Promise<void>,
  ): Promise<void> => {
    const opened = await core.database();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = database.name === 'sqlite' ? 0 : maxConnections - free;
    const others = Array.from({ length: held }, () => opened.transact(() => released));
    try {
      await work();
    } finally {
      release();
      await Promise.all(others);
    }
  };

  /** Enqueues jobs, and runs them while only one connection is free. */
  const sendAll = async ({ service, workspaceId }: TestService<string>): Promise<void> => {
    await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), async ({ enqueue }) => {
      for (let count = 0; count < together; count += 1) enqueue({ kind: 'parcels.send', payload: {} });
    });
    await whileFew(service, 1, async () => {
      const { ran } = await service.drain();
      assert.ok(ran >= together, `${ran} jobs ran`);
    });
  };

  const counted = async ({ service, workspaceId }: TestService<string>): Promise<number> => {
    const opened = await service.core.database();
    const rows = await opened.read(workspaceId, ({ db }) =>
      db
        .selectFrom('budgets')
        .select('amount')
        .where('workspace_id', '=', workspaceId)
        .where('budget', '=', budget)
        .execute(),
    );
    return rows.reduce((sum, { amount }) => sum + Number(amount), 0);
  };

  test('each job counts once if no other connection is free', () =>
    withParcels(1_000, async (parcels, ends) => {
      await sendAll(parcels);
      assert.equal(ends, new Array(together).fill(true));
      assert.is(await counted(parcels), together);
    }));

  test('jobs that end together use up the rest of a budget but do not exceed it', () =>
    withParcels(together - 3, async (parcels, ends) => {
      await sendAll(parcels);
      assert.is(ends.filter(Boolean).length, together - 3);
      assert.is(await counted(parcels), together - 3);
    }));

  test('two transactions that count against two budgets in opposite order wait only a few seconds for each other', () =>
    withParcels(1_000, async ({ service, workspaceId }) => {
      if (database.name === 'sqlite') return;
      const workspace = await readWorkspace(service.core, workspaceId);
      let arrived = 0;
      let meet = (): void => undefined;
      const met = new Promise<void>((resolve) => {
        meet = resolve;
      });
      const count = (first: string, second: string) =>
        inWorkspace(service.core, workspace, async ({ spend }) => {
          await spend(first, 1, 1_000).finally(() => {
            arrived += 1;
            if (arrived === 2) meet();
          });
          await met;
          await spend(second, 1, 1_000);
        });
      await whileFew(service, 2, async () => {
        const ends = await Promise.allSettled([count('parcels', 'letters'), count('letters', 'parcels')]);
        for (const end of ends)
          if (end.status === 'rejected') assert.ok(isStorageError(end.reason, 'busy'), String(end.reason));
      });
    }));
});
