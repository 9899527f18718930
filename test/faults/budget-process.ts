// Counts against one budget until it is used up, with rollbacks in between, and prints how much was counted; or counts once and never
// ends its transaction. `node budget-process.js ORDER`. Spawned by budgets-processes.test.ts.

import { createService, type Service } from '../../core/kernel/compose.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { type DatabaseLocation, storageOf } from './mail-service.ts';

/** The instructions to a process. */
export interface BudgetInstructions {
  readonly database: DatabaseLocation;
  readonly workspaceId: string;
  readonly limit: number;
  readonly hangs: boolean;
}

/** The name of the budget. */
export const budget = 'parcels';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The service of a process, and of the test. `aheadMs` returns how far its clock is ahead. */
export function createBudgetService(
  location: DatabaseLocation,
  onReached: (data: unknown) => void,
  aheadMs = () => 0,
): Service {
  const service = createService<string>({
    storage: storageOf(location),
    environment: 'development',
    plugins: [],
    clock: { now: () => Date.now() + aheadMs() },
    logger: quiet,
  });
  service.on('budget.reached', async ({ data }) => onReached(data));
  return service;
}

class RolledBack extends Error {}

/** Counts 1. With `fails`, the transaction is rolled back afterwards. */
export async function countOne(service: Service, workspaceId: string, limit: number, fails: boolean): Promise<boolean> {
  const workspace = await readWorkspace(service.core, workspaceId);
  try {
    return await inWorkspace(service.core, workspace, async (ctx) => {
      const { exceeded } = await ctx.spend(budget, 1, limit);
      if (fails && !exceeded) throw new RolledBack();
      return !exceeded;
    });
  } catch (error) {
    if (error instanceof RolledBack) return true;
    throw error;
  }
}

/** Counts until the budget is used up. Every third transaction is rolled back. Returns how many were committed. */
export async function countAll(service: Service, workspaceId: string, limit: number): Promise<number> {
  let committedCount = 0;
  for (let turn = 0; ; turn += 1) {
    const fails = turn % 3 === 2;
    if (!(await countOne(service, workspaceId, limit, fails))) return committedCount;
    if (!fails) committedCount += 1;
  }
}

async function countAndHang(service: Service, { workspaceId, limit }: BudgetInstructions): Promise<void> {
  const workspace = await readWorkspace(service.core, workspaceId);
  const database = await service.core.database();
  const shared = database.adapter.capabilities.sharedCommits;
  await inWorkspace(service.core, workspace, async (ctx) => {
    await ctx.spend(budget, 1, limit);
    process.stdout.write('holding\n');
    // On SQLite, the transaction must not wait asynchronously, so the whole process blocks.
    if (shared) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    await new Promise(() => undefined);
  });
}

async function runOrder(order: BudgetInstructions): Promise<void> {
  const service = createBudgetService(order.database, (data) => void process.stdout.write(`${JSON.stringify(data)}\n`));
  await readWorkspace(service.core, order.workspaceId);
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  if (order.hangs) return countAndHang(service, order);
  // Each process counts once before either continues: on a busy machine one process could use up the whole budget alone.
  await countOne(service, order.workspaceId, order.limit, false);
  process.stdout.write('counted one\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const callers = Array.from({ length: 4 }, () => countAll(service, order.workspaceId, order.limit));
  const counts = await Promise.all(callers);
  await service.drain();
  await service.stop();
  process.stdin.destroy();
  process.stdout.write(`${counts.reduce((sum, count) => sum + count, 1)}\n`);
}

if (process.argv[2] !== undefined) void runOrder(JSON.parse(process.argv[2]) as BudgetInstructions);
