// The core's part of a person: events that were written, jobs that say whose they are, and what the audit keeps of custom
// events. Called by the port in personal-data.ts, and by plugins for the audit entries of their own rows.
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { DataSubject, PersonalData } from '../contract/personal-data.ts';
import { eventEnvelope } from '../pipeline/event-envelope.ts';
import { jobSubject } from '../pipeline/job-subject.ts';
import { filledList } from '../storage/filled-list.ts';
import { createAddressFinder } from './personal-data-addresses.ts';

/** So many events go in one transaction. */
const batch = 500;

/** The names under which an event says whose it is. */
const namesOf = ({ personId, emails }: DataSubject): string[] => [...(personId === null ? [] : [personId]), ...emails];

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

/** The events on the side of the handle that this round of an erasure removes: for plugins that keep something about them, and go first. */
export const eventsToErase = async (handle: WorkspaceHandle, subject: DataSubject): Promise<string[]> =>
  (await listEvents(handle, namesOf(subject), batch)).map(({ id }) => id);

/**
 * Jobs of the person that no worker holds, found by the index of subjects: their payloads and errors lose the addresses, and
 * they name no person from then on. Answers how many were found.
 */
async function eraseJobs({ db, workspaceId, sandbox }: WorkspaceHandle, subject: DataSubject): Promise<number> {
  const names = namesOf(subject).map((name) => jobSubject(workspaceId, name));
  if (names.length === 0) return 0;
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'payload', 'reason', 'state'])
    .where('sandbox', '=', sandbox === true ? 1 : 0)
    .where('subject', 'in', filledList(names))
    .where('lease_until', 'is', null)
    .limit(batch)
    .execute();
  const finder = createAddressFinder(workspaceId, subject.emails);
  for (const { id, payload, reason, state } of rows)
    await db
      .updateTable('jobs')
      .set({
        payload: payload.includes('@') ? finder.eraseJson(payload) : payload,
        reason: reason === null ? null : finder.erase(reason),
        subject: null,
      })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      // A worker that claimed it meanwhile writes its end.
      .where('state', '=', state)
      .execute();
  return rows.length;
}

/** What was emitted about a person and is still kept. */
export const corePersonalData: Pick<PersonalData, 'export' | 'erase'> = {
  async export(handle, subject, _, limit) {
    const rows = await listEvents(handle, namesOf(subject), limit);
    return { events: rows.map(eventEnvelope) };
  },

  async erase({ trx }, subject) {
    const jobs = await eraseJobs(trx, subject);
    const rows = await listEvents(trx, namesOf(subject), batch);
    if (rows.length > 0)
      await trx.db
        .deleteFrom('outbox')
        .where('workspace_id', '=', trx.workspaceId)
        .where('id', 'in', filledList(rows.map(({ id }) => id)))
        .execute();
    return rows.length < batch && jobs < batch ? 'done' : 'more';
  },
};

/** Empties the metadata of the audit entries of these instants about this target: of what a caller's event carried. */
export async function clearAuditMetadata(
  { db, workspaceId }: WorkspaceHandle,
  target: { readonly kind: string; readonly id: string },
  instants: readonly number[],
): Promise<void> {
  const times = [...new Set(instants)];
  for (let start = 0; start < times.length; start += batch) {
    // One after another along the primary key: a list of times is no range for every database.
    for (const ts of times.slice(start, start + batch)) {
      await db
        .updateTable('audit')
        .set({ metadata: '{}' })
        .where('workspace_id', '=', workspaceId)
        .where('ts', '=', ts)
        .where('target_kind', '=', target.kind)
        .where('target_id', '=', target.id)
        .execute();
    }
  }
}
