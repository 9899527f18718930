// Jobs that end together and count for one budget, on each database: their ends share a transaction, which counts each job once, finishes
// even if no other connection is free, and exceeds no budget.
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
const parcelPlugin = (limit: number, counted: boolean[]) =>
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
              counted.push(!exceeded);
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
    run: (parcels: TestService<string>, counted: readonly boolean[]) => Promise<void>,
  ): Promise<void> => {
    const counted: boolean[] = [];
    const service = await migratedTestService<string>(database, {
      plugins: [...standardPlugins, parcelPlugin(limit, counted)],
    });
    try {
      await run(service, counted);
    } finally {
      await service.close();
    }
  };

  /** Runs `work` while at most `free` connections are free. SQLite runs transactions one after another. */
  const withFewConnections = async (
    { core }: TestService<string>['service'],
    free: number,
    work: () => Promise<void>,
  ): Promise<void> => {
    const openedDatabase = await core.database();
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const heldConnections = database.name === 'sqlite' ? 0 : maxConnections - free;
    const openTransactions = Array.from({ length: heldConnections }, () => openedDatabase.transact(() => isReleased));
    try {
      await work();
    } finally {
      release();
      await Promise.all(openTransactions);
    }
  };

  /** Enqueues jobs, and runs them while only one connection is free. */
  const sendAll = async ({ service, workspaceId }: TestService<string>): Promise<void> => {
    await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), async ({ enqueue }) => {
      for (let count = 0; count < together; count += 1) enqueue({ kind: 'parcels.send', payload: {} });
    });
    await withFewConnections(service, 1, async () => {
      const { ran } = await service.drain();
      assert.ok(ran >= together, `${ran} jobs ran`);
    });
  };

  const countOf = async ({ service, workspaceId }: TestService<string>): Promise<number> => {
    const openedDatabase = await service.core.database();
    const rows = await openedDatabase.read(workspaceId, ({ db }) =>
      db
        .selectFrom('budgets')
        .select('amount')
        .where('workspace_id', '=', workspaceId)
        .where('budget', '=', budget)
        .execute(),
    );
    return rows.reduce((sum, { amount }) => sum + Number(amount), 0);
  };

  test('each job counts once even if no other connection is free', () =>
    withParcels(1_000, async (parcels, counted) => {
      await sendAll(parcels);
      assert.equal(counted, new Array(together).fill(true));
      assert.is(await countOf(parcels), together);
    }));

  test('jobs that end together use up the remaining budget, but do not exceed it', () =>
    withParcels(together - 3, async (parcels, counted) => {
      await sendAll(parcels);
      assert.is(counted.filter(Boolean).length, together - 3);
      assert.is(await countOf(parcels), together - 3);
    }));

  test('if two transactions count for two budgets in opposite order, they wait for each other only a few seconds', () =>
    withParcels(1_000, async ({ service, workspaceId }) => {
      if (database.name === 'sqlite') return;
      const workspace = await readWorkspace(service.core, workspaceId);
      let arrivals = 0;
      let onBothArrived = (): void => undefined;
      const bothArrived = new Promise<void>((resolve) => {
        onBothArrived = resolve;
      });
      const count = (first: string, second: string) =>
        inWorkspace(service.core, workspace, async ({ spend }) => {
          await spend(first, 1, 1_000).finally(() => {
            arrivals += 1;
            if (arrivals === 2) onBothArrived();
          });
          await bothArrived;
          await spend(second, 1, 1_000);
        });
      await withFewConnections(service, 2, async () => {
        const counted = await Promise.allSettled([count('parcels', 'letters'), count('letters', 'parcels')]);
        for (const end of counted)
          if (end.status === 'rejected') assert.ok(isStorageError(end.reason, 'busy'), String(end.reason));
      });
    }));
});
