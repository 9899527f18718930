// The floors of sequences.ts: hand-written SQL for a step and for a wake, in the tables of the measured service.
import { everywhere, type SequencesService } from '../sequences-service.ts';

/** The type of the bench's event. */
export const wakeType = 'bench.wake';

const jobRow = ({ workspaceId, shared }: SequencesService, id: string) => ({
  ...shared,
  id: id.slice(0, 40),
  kind: 'sequences.step',
  lane: 1,
  concurrency_key: workspaceId,
  state: 'done' as const,
  payload: '{}',
  subject: null,
  attempt: 0,
  crashes: 0,
  run_at: Date.now() + 30 * 86_400_000,
  created_at: Date.now(),
});

/** A step of each run, `times` times: the run, its history, the finished job and the next job; 40 steps per commit. */
export async function stepsByHand(bench: SequencesService, times: number): Promise<void> {
  const { database, shared } = bench;
  const foundRuns = await database.read(everywhere, ({ db }) => db.selectFrom('sequence_runs').select('id').execute());
  const runIds = foundRuns.map(({ id }) => id);
  const now = Date.now();
  for (let number = 0; number < times; number += 1)
    for (let from = 0; from < runIds.length; from += 40)
      await database.transact(async (scope) => {
        const { db } = scope.handle(everywhere);
        for (const id of runIds.slice(from, from + 40)) {
          await db.selectFrom('sequence_runs').selectAll().where('id', '=', id).executeTakeFirst();
          await db.updateTable('sequence_runs').set({ node_id: 'x', due_at: now }).where('id', '=', id).execute();
          const step = { run_id: id, number: 100 + number, node_id: 'x', kind: 'branch', status: 'completed' } as const;
          const otherColumns = { at: now, due_at: null, output: null, reason: null };
          await db
            .insertInto('sequence_steps')
            .values({ ...shared, ...step, ...otherColumns })
            .execute();
          await db.updateTable('jobs').set({ state: 'done' }).where('id', '=', `job_${id}`).execute();
          await db
            .insertInto('jobs')
            .values(jobRow(bench, `job_${id}_${number}`))
            .execute();
        }
      });
}

/** Wakes each contact's run: the event on the timeline, the look-up, the move. */
export async function wakesByHand(
  { database, ids, shared, workspaceId }: SequencesService,
  contactIds: readonly string[],
): Promise<void> {
  for (const contact_id of contactIds)
    await database.transact(async (scope) => {
      const { db } = scope.handle(everywhere);
      await db.selectFrom('contacts').selectAll().where('id', '=', contact_id).executeTakeFirst();
      const event = { id: ids.create('evt'), contact_id, type: 'bench.floor', ts: Date.now(), metadata: '{}' };
      await db
        .insertInto('contact_events')
        .values({ ...shared, ...event })
        .execute();
      const foundWait = await db
        .selectFrom('sequence_waits')
        .select('run_id')
        .where('workspace_id', '=', workspaceId)
        .where('sandbox', '=', 0)
        .where('contact_id', '=', contact_id)
        .where('event_type', '=', wakeType)
        .execute();
      for (const { run_id: id } of foundWait)
        await db.updateTable('sequence_runs').set({ due_at: Date.now() }).where('id', '=', id).execute();
    });
}
