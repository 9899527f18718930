// Counts the jobs in each state, for GET /metrics. Each count has an upper limit and reads along an index.
import { defineStatement } from '../contract/context/handle.ts';
import type { JobRow } from '../storage/core-tables.ts';
import type { Database } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';

const countedStates = ['waiting', 'ready', 'queued', 'running', 'failed'] as const satisfies readonly JobRow['state'][];
const max = 10_000;

const countOf = defineStatement((db, p: { state: (typeof countedStates)[number]; max: number }) =>
  db
    .selectFrom(db.selectFrom('jobs').select('state').where('state', '=', p.state).limit(p.max).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('jobs')),
);

/** The number of jobs in each state; counting stops at 10,000. */
export async function jobCounts(
  database: Database,
): Promise<readonly { readonly state: string; readonly jobs: number }[]> {
  return database.read(unscoped('metrics count the jobs of every workspace'), async (handle) => {
    const counts: { state: string; jobs: number }[] = [];
    for (const state of countedStates) {
      const row = await handle.one(countOf, { state, max });
      counts.push({ state, jobs: Number(row?.jobs ?? 0) });
    }
    return counts;
  });
}
