// The core's part of exports and erasures: events and jobs with a subject, and the audit entries of custom events. Called by
// the port in personal-data.ts, and by plugins for the audit entries of their own rows.
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { PersonalData, PersonIdentifiers } from '../contract/declaration/personal-data.ts';
import { eventEnvelope } from '../pipeline/event-envelope.ts';
import { jobSubject } from '../pipeline/job-subject.ts';
import { filledList } from '../storage/filled-list.ts';
import { createAddressFinder } from './personal-data-addresses.ts';

/** How many events one transaction erases. */
const batchSize = 500;

/** The values by which the subject of an event may name the person. */
const namesOf = ({ personId, emails }: PersonIdentifiers): string[] => [
  ...(personId === null ? [] : [personId]),
  ...emails,
];

const columns = ['id', 'workspace_id', 'type', 'source', 'synthetic', 'data', 'created_at'] as const;

async function listEvents(handle: WorkspaceHandle, names: readonly string[], limit: number) {
  if (names.length === 0) return [];
  return handle.db
    .selectFrom('outbox')
    .select(columns)
    .where('subject', 'in', filledList(names))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The events on the handle's side that this round of an erasure removes: for plugins that store data about events. */
export const eventsToErase = async (handle: WorkspaceHandle, subject: PersonIdentifiers): Promise<string[]> =>
  (await listEvents(handle, namesOf(subject), batchSize)).map(({ id }) => id);

/**
 * Removes the addresses and the subject from jobs of the person that no worker holds, found by the index on subjects. Returns
 * how many jobs were found.
 */
async function eraseJobs({ db, workspaceId, sandbox }: WorkspaceHandle, subject: PersonIdentifiers): Promise<number> {
  const names = namesOf(subject).map((name) => jobSubject(workspaceId, name));
  if (names.length === 0) return 0;
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'payload', 'reason', 'state', 'waiting_key', 'concurrency_key'])
    .where('sandbox', '=', sandbox === true ? 1 : 0)
    .where('subject', 'in', filledList(names))
    .where('lease_until', 'is', null)
    .limit(batchSize)
    .execute();
  const finder = createAddressFinder(workspaceId, subject.emails);
  for (const { id, payload, reason, state, waiting_key, concurrency_key } of rows)
    await db
      .updateTable('jobs')
      .set({
        payload: payload.includes('@') ? finder.eraseJson(payload) : payload,
        reason: reason === null ? null : finder.erase(reason),
        subject: null,
        // A pseudonym might be the key of another job: without a key, nothing replaces or cancels it.
        waiting_key: waiting_key !== null && finder.isIn(waiting_key) ? null : waiting_key,
        concurrency_key: finder.isIn(concurrency_key) ? workspaceId : concurrency_key,
      })
      .where('id', '=', id)
      // If a worker has claimed the job meanwhile, the worker writes its end.
      .where('state', '=', state)
      .execute();
  return rows.length;
}

/** Exports and erases the events about a person, and erases the jobs. */
export const corePersonalData: Pick<PersonalData, 'export' | 'erase'> = {
  async export({ trx: handle }, subject, limit) {
    const rows = await listEvents(handle, namesOf(subject), limit);
    return { events: rows.map(eventEnvelope) };
  },

  async erase({ trx }, subject) {
    const jobs = await eraseJobs(trx, subject);
    const rows = await listEvents(trx, namesOf(subject), batchSize);
    if (rows.length > 0)
      await trx.db
        .deleteFrom('outbox')
        .where('id', 'in', filledList(rows.map(({ id }) => id)))
        .execute();
    return rows.length < batchSize && jobs < batchSize ? 'done' : 'more';
  },
};

/** Empties the metadata of audit entries about this target with these times: the metadata may repeat the data of an event. */
export async function clearAuditMetadata(
  { db }: WorkspaceHandle,
  target: { readonly kind: string; readonly id: string },
  instants: readonly number[],
): Promise<void> {
  const times = [...new Set(instants)];
  for (let start = 0; start < times.length; start += batchSize) {
    // One by one along the primary key: not every database uses the index for a list of times.
    for (const ts of times.slice(start, start + batchSize)) {
      await db
        .updateTable('audit')
        .set({ metadata: '{}' })
        .where('ts', '=', ts)
        .where('target_kind', '=', target.kind)
        .where('target_id', '=', target.id)
        .execute();
    }
  }
}
