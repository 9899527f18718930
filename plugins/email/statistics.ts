// The SQL of the counts of sends by day.
import type { WorkspaceHandle } from '../../core/index.ts';
import type { SendStatus } from './tables.ts';

export const dayMs = 86_400_000;

/** The maximum number of sends that are counted, newest first. The limit keeps the count cheap in a large workspace. */
export const countedSends = 10_000;

/** The newest sends that were accepted since a time, counted by the beginning of their day (UTC) and by their status. */
export async function countByDay(
  { db }: WorkspaceHandle,
  since: number,
): Promise<{ readonly day: number; readonly status: SendStatus; readonly count: number }[]> {
  const newest = db
    .selectFrom('sends')
    .select('status')
    .select((row) => row('created_at', '-', row('created_at', '%', dayMs)).as('day'))
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(countedSends);
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select(['day', 'status'])
    .select(({ fn }) => fn.countAll().as('count'))
    .groupBy(['day', 'status'])
    .execute();
  return rows.map(({ day, status, count }) => ({ day: Number(day), status, count: Number(count) }));
}
