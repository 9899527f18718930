// Plans of a week in the states that the fixtures of this plugin need. They are inserted directly, because no job runs in generated tests.
import type { FixtureKit } from '../../../core/index.ts';
import { type PlanRunRow, type PlanRunStatus, runRows } from '../runs/tables.ts';

const day = 86_400_000;

/** The Monday of the week `weeks` weeks after the current week, as YYYY-MM-DD. */
const monday = (now: number, weeks: number): string => {
  const today = Math.floor(now / day) * day;
  const weekday = (new Date(today).getUTCDay() + 6) % 7;
  return new Date(today + (7 * weeks - weekday) * day).toISOString().slice(0, 10);
};

/** Inserts a run with proposed themes, in this status. */
async function write(kit: FixtureKit, workspaceId: string, status: PlanRunStatus, weeks: number): Promise<PlanRunRow> {
  return kit.write(async ({ trx, now, newId, sandbox }) => {
    const theme = { id: 't1', title: 'The new rye course', reason: 'Bookings open.', newsId: null };
    const waiting = { status: 'pending', proposal: null, comment: null, revisions: 0 } as const;
    const row: PlanRunRow = {
      ...{ id: newId('plan'), sandbox, week_of: monday(now, weeks), timezone: 'UTC', status },
      ...{ channels: ['x'], accounts: {}, themes: [], brief: 'Bookings open.', posts_per_channel: 1 },
      gates: { themes: { ...waiting, proposal: [theme] }, slots: waiting, captions: null },
      ...{ drafted: [], results: [], left_out: null, error: null, hold_id: null, price: 0, charged: 0 },
      ...{ expires_at: now + day, ended_at: null, created_at: now, updated_at: now },
    };
    return runRows.insert(trx, row);
  }, workspaceId);
}

/** The id of a run whose themes wait for a decision. */
export const awaitingRun = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  (await write(kit, workspaceId, 'awaiting_decision', 40)).id;

/** The id of a run that is still being planned. */
export const plannedRun = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  (await write(kit, workspaceId, 'planning', 40)).id;

/** A week without a running plan: earlier runs of the week are ended. */
export const freeWeek = (kit: FixtureKit) =>
  kit.write(async ({ trx, now }) => {
    const weekOf = monday(now, 2);
    for (const { id } of await runRows.page(trx, { where: { week_of: weekOf }, limit: 50 }))
      await runRows.update(trx, id, { status: 'rejected', expires_at: null, ended_at: now });
    return { weekOf, channels: ['x'], brief: 'Bookings of the rye course open.', postsPerChannel: 2 };
  });

/** A week that has a running plan. */
export async function takenWeek(kit: FixtureKit) {
  const { week_of: weekOf } = await write(kit, kit.workspaceId, 'planning', 3);
  return { weekOf, channels: ['x'] };
}
