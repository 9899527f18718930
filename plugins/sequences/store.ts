// SQL for sequences that the table helpers do not cover: steps and waits by their composite keys, counts, and a contact's runs.
import { type CursorPosition, defineStatement, filledList, olderThan, type WorkspaceHandle } from '../../core/index.ts';
import {
  type EnrollmentRow,
  runRows,
  type SequenceRunRow,
  type SequenceStepRow,
  stepRows,
  type WaitRow,
} from './tables.ts';

const updateStep = defineStatement((db, p: Stored<Omit<SequenceStepRow, 'node_id' | 'kind'>>) =>
  db
    .updateTable('sequence_steps')
    .set({ status: p.status, at: p.at, due_at: p.due_at, output: p.output, reason: p.reason })
    .where('run_id', '=', p.run_id)
    .where('number', '=', p.number),
);

type Stored<R> = { [K in keyof R]: K extends 'output' ? string | null : R[K] };

/** Updates the open step of a run at the end of the transaction. */
export function deferStepUpdate(handle: WorkspaceHandle, { node_id: _, kind: __, ...row }: SequenceStepRow): void {
  handle.defer(updateStep, { ...row, output: row.output === null ? null : JSON.stringify(row.output) });
}

const stepsOfRun = defineStatement((db, p: { run_id: string }) =>
  db.selectFrom('sequence_steps').selectAll().where('run_id', '=', p.run_id).orderBy('number'),
);

/** The history of a run, oldest first. */
export const stepsOf = async (handle: WorkspaceHandle, runId: string): Promise<SequenceStepRow[]> =>
  (await handle.all(stepsOfRun, { run_id: runId })).map((row) => stepRows.decode(row));

const removeWait = defineStatement((db, p: WaitRow) =>
  db
    .deleteFrom('sequence_waits')
    .where('contact_id', '=', p.contact_id)
    .where('event_type', '=', p.event_type)
    .where('run_id', '=', p.run_id),
);

/** Removes one wait at the end of the transaction. */
export const deferWaitRemoval = (handle: WorkspaceHandle, row: WaitRow): void => handle.defer(removeWait, row);

const waitingRuns = defineStatement((db, p: { contact_id: string; event_type: string }) =>
  db
    .selectFrom('sequence_waits')
    .select('run_id')
    .where('contact_id', '=', p.contact_id)
    .where('event_type', '=', p.event_type)
    .orderBy('run_id'),
);

/** The ids of the contact's runs that an event of this type may move, sorted by id. */
export const runsWaitingFor = async (handle: WorkspaceHandle, contactId: string, type: string): Promise<string[]> =>
  (await handle.all(waitingRuns, { contact_id: contactId, event_type: type })).map(({ run_id: id }) => id);

/** The contacts among these that have runs that an event of this type may move. */
export async function contactsWaitingFor(
  { db }: WorkspaceHandle,
  contactIds: readonly string[],
  type: string,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sequence_waits')
    .select('contact_id')
    .distinct()
    .where('contact_id', 'in', filledList(contactIds))
    .where('event_type', '=', type)
    .execute();
  return new Set(rows.map(({ contact_id: id }) => id));
}

const sequencesByStartKeys = defineStatement((db, p: { one: string; other: string }) =>
  db
    .selectFrom('sequences')
    .select(['id', 'key', 'version_id'])
    .where('start_key', 'in', [p.one, p.other])
    .where('status', '=', 'published')
    .orderBy('id'),
);

/** The published sequences that one of these two start keys starts. */
export const sequencesStartedBy = (handle: WorkspaceHandle, one: string, other: string) =>
  handle.all(sequencesByStartKeys, { one, other });

/** The columns of a run that the re-entry rules read. */
export type EarlierRun = Pick<SequenceRunRow, 'id' | 'contact_id' | 'status' | 'started_at'>;

/** The runs of these contacts in a sequence that are active or began after `since`, newest first. */
export async function earlierRuns(
  { db }: WorkspaceHandle,
  sequenceId: string,
  contactIds: readonly string[],
  since: number,
): Promise<EarlierRun[]> {
  if (contactIds.length === 0) return [];
  const rows = await db
    .selectFrom('sequence_runs')
    .select(['id', 'contact_id', 'status', 'started_at'])
    .where('contact_id', 'in', filledList(contactIds))
    .where('sequence_id', '=', sequenceId)
    .where((row) => row.or([row('status', '=', 'active'), row('started_at', '>', since)]))
    // The order by contact, then by run is the one in which events lock the runs that they move, so that no deadlock
    // occurs.
    .orderBy('contact_id')
    .orderBy('id')
    // The caller has locked the contacts' entries. On MySQL, if the caller's transaction began earlier, only a locking
    // read sees the rows that were committed meanwhile.
    .forShare()
    .execute();
  const runs = rows.map((row) => ({ ...row, started_at: Number(row.started_at) }));
  return runs.sort((one, other) => other.started_at - one.started_at || (one.id < other.id ? 1 : -1));
}

/** The latest run of a contact in a sequence. */
export async function latestRun({ db }: WorkspaceHandle, sequenceId: string, contactId: string) {
  const row = await db
    .selectFrom('sequence_runs')
    .select(['id'])
    .where('contact_id', '=', contactId)
    .where('sequence_id', '=', sequenceId)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

const countMessages = defineStatement(
  (db, p: { contact_id: string; channel: 'email' | 'sms'; since: number; limit: number }) =>
    db
      .selectFrom('sequence_messages')
      .select('sent_at')
      .where('contact_id', '=', p.contact_id)
      .where('channel', '=', p.channel)
      .where('sent_at', '>', p.since)
      .limit(p.limit),
);

/** The number of messages that sequences have sent to a contact since a time. Counting stops at `limit`. */
export const messagesSince = async (
  handle: WorkspaceHandle,
  query: {
    readonly contact_id: string;
    readonly channel: 'email' | 'sms';
    readonly since: number;
    readonly limit: number;
  },
): Promise<number> => (await handle.all(countMessages, query)).length;

/** Active runs of a sequence with ids after `after`, sorted by id. */
export async function activeRunsAfter(
  { db }: WorkspaceHandle,
  sequenceId: string,
  after: string,
  limit: number,
): Promise<{ readonly id: string; readonly revision: number; readonly due_at: number | null }[]> {
  const rows = await db
    .selectFrom('sequence_runs')
    .select(['id', 'revision', 'due_at'])
    .where('sequence_id', '=', sequenceId)
    .where('status', '=', 'active')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, revision, due_at }) => ({
    id,
    revision: Number(revision),
    due_at: due_at === null ? null : Number(due_at),
  }));
}

/** Locks the runs of a contact and returns them, sorted by id. */
export async function runsOfContact(
  handle: WorkspaceHandle,
  contactId: string,
  limit: number,
): Promise<SequenceRunRow[]> {
  const lockedRows = await handle.db
    .selectFrom('sequence_runs')
    .select('id')
    .where('contact_id', '=', contactId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return runRows.findIn(
    handle,
    'id',
    lockedRows.map(({ id }) => id),
    'update',
  );
}

/** Clears the step outputs, which contain data from callers. */
async function emptySteps({ db }: WorkspaceHandle, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await db
    .updateTable('sequence_steps')
    .set({ output: null })
    .where('run_id', 'in', filledList(runIds))
    .where('output', 'is not', null)
    .execute();
}

/** Deletes the waits of runs. */
async function removeWaits({ db }: WorkspaceHandle, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await db.deleteFrom('sequence_waits').where('run_id', 'in', filledList(runIds)).execute();
}

/** Runs that ended before this time and whose variables and outputs have not been cleared yet. */
export async function runsToEmpty({ db }: WorkspaceHandle, before: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sequence_runs')
    .select('id')
    .where('empty_at', '<', before)
    .orderBy('empty_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Clears the variables, state and step outputs of runs. The history of steps stays. */
export async function emptyRuns(handle: WorkspaceHandle, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await handle.db
    .updateTable('sequence_runs')
    .set({ variables: null, state: null, empty_at: null })
    .where('id', 'in', filledList(runIds))
    .execute();
  await emptySteps(handle, runIds);
}

/** Detaches a contact from its runs and clears them. The history of steps stays. */
export async function detachContact(handle: WorkspaceHandle, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await emptyRuns(handle, runIds);
  await removeWaits(handle, runIds);
  await handle.db
    .updateTable('sequence_runs')
    .set({ contact_id: null })
    .where('id', 'in', filledList(runIds))
    .execute();
}

/** The ids of versions that have active runs or running list enrolments, on either side (live or sandbox). */
export async function versionsInUse(
  handle: WorkspaceHandle,
  sequenceId: string,
  versionIds: readonly string[],
): Promise<Set<string>> {
  const { db } = handle.bothSides('both sides share the versions');
  const usedIds = new Set<string>();
  for (const id of versionIds) {
    const row = await db
      .selectFrom('sequence_runs')
      .select('id')
      .where('version_id', '=', id)
      .where('status', '=', 'active')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) usedIds.add(id);
  }
  const enrollmentVersions = await db
    .selectFrom('sequence_enrollments')
    .select('version_id')
    .where('sequence_id', '=', sequenceId)
    .where('status', '=', 'running' satisfies EnrollmentRow['status'])
    .execute();
  for (const { version_id: id } of enrollmentVersions) usedIds.add(id);
  return usedIds;
}

/** The versions of a sequence, without their definitions. */
export const versionsOf = ({ db }: WorkspaceHandle, sequenceId: string) =>
  db
    .selectFrom('sequence_versions')
    .select(['id', 'version', 'hash'])
    .where('sequence_id', '=', sequenceId)
    .orderBy('version', 'desc')
    .execute();

/** The next confirmed members of a list after a contact, sorted by id. */
export async function confirmedAfter(
  { db }: WorkspaceHandle,
  listId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('list_members')
    .select('contact_id')
    .where('list_id', '=', listId)
    .where('contact_id', '>', after)
    .where('status', '=', 'confirmed')
    .orderBy('contact_id')
    .limit(limit)
    .execute();
  return rows.map(({ contact_id: id }) => id);
}

/** The first email domain of a confirmed member of a list that is not in `allowed`; undefined if all domains are allowed. */
export async function disallowedConfirmedDomain(
  { db }: WorkspaceHandle,
  listId: string,
  allowed: readonly string[],
): Promise<string | undefined> {
  let query = db
    .selectFrom('list_members')
    .innerJoin('contacts', 'contacts.id', 'list_members.contact_id')
    .select('contacts.email')
    .where('list_members.list_id', '=', listId)
    .where('list_members.status', '=', 'confirmed');
  for (const domain of allowed) query = query.where('contacts.email', 'not like', `%@${domain}`);
  const row = await query.limit(1).executeTakeFirst();
  return row?.email?.slice(row.email.lastIndexOf('@') + 1);
}

/** The running enrolments of a sequence, on both sides. */
export async function runningEnrollments(
  handle: WorkspaceHandle,
  sequenceId: string,
): Promise<{ readonly id: string; readonly sandbox: boolean }[]> {
  const rows = await handle
    .bothSides('pausing ends the enrolments of both sides')
    .db.selectFrom('sequence_enrollments')
    .select(['id', 'sandbox'])
    .where('sequence_id', '=', sequenceId)
    .where('status', '=', 'running' satisfies EnrollmentRow['status'])
    .orderBy('id')
    .execute();
  return rows.map(({ id, sandbox }) => ({ id, sandbox: Number(sandbox) === 1 }));
}

/** The number of confirmed members of a list, from its stored counts. */
export async function countConfirmed({ db }: WorkspaceHandle, listId: string): Promise<number> {
  const row = await db.selectFrom('list_counts').select('confirmed').where('list_id', '=', listId).executeTakeFirst();
  return Number(row?.confirmed ?? 0);
}

/** The runs of a contact, newest first, with the keys of their sequences. */
export async function runsOnTimeline(
  { db }: WorkspaceHandle,
  contactId: string,
  limit: number,
  after: CursorPosition | undefined,
) {
  let query = db
    .selectFrom('sequence_runs')
    .innerJoin('sequences', 'sequences.id', 'sequence_runs.sequence_id')
    .select([
      'sequence_runs.id as id',
      'sequences.key as key',
      'sequence_runs.status as status',
      'sequence_runs.exit_reason as exitReason',
      'sequence_runs.started_at as startedAt',
      'sequence_runs.sandbox as sandbox',
    ])
    .where('sequence_runs.contact_id', '=', contactId);
  if (after !== undefined) query = query.where(olderThan('sequence_runs.started_at', 'sequence_runs.id', after));
  const rows = await query
    .orderBy('sequence_runs.started_at', 'desc')
    .orderBy('sequence_runs.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, startedAt: Number(row.startedAt), sandbox: Number(row.sandbox) === 1 }));
}

/** The published and paused sequences. The caller searches them for references, such as to a list. */
export async function publishedOrPausedSequences({ db }: WorkspaceHandle, limit: number) {
  return db
    .selectFrom('sequences')
    .select(['id', 'key', 'version_id'])
    .where('status', 'in', ['published', 'paused'])
    .orderBy('key')
    .limit(limit)
    .execute();
}
