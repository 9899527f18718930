// What no index finds of a person: answers stored for repeated calls, and jobs that carry or were refused an address.
// Read page by page outside any transaction, written where something was found. Called after the rounds of an erasure.
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { DataSubject, SweepPlace } from '../contract/personal-data.ts';
import type { AddressFinder } from './personal-data-addresses.ts';
import { createAddressFinder } from './personal-data-addresses.ts';

/** So many rows are read, and at most so many are written, at a time. */
const page = 500;

interface AnswerPlace {
  readonly endpoint: string;
  readonly key: string;
}

const listAnswers = ({ db, workspaceId }: WorkspaceHandle, after: AnswerPlace) =>
  db
    .selectFrom('idempotency')
    .select(['endpoint', 'key', 'answer'])
    .where('workspace_id', '=', workspaceId)
    .where('endpoint', '>=', after.endpoint)
    .where((row) =>
      row.or([
        row('endpoint', '>', after.endpoint),
        row.and([row('endpoint', '=', after.endpoint), row('key', '>', after.key)]),
      ]),
    )
    .orderBy('endpoint')
    .orderBy('key')
    .limit(page)
    .execute();

/** Members of answers in which stands what callers said in their own words. */
const callersOwn: Readonly<Record<string, unknown>> = { metadata: {}, attributes: {}, subject: '', note: '' };

const withoutCallersOwn = (json: string): string =>
  JSON.stringify(JSON.parse(json), (name, value: unknown) =>
    value !== null && value !== undefined && Object.hasOwn(callersOwn, name) ? callersOwn[name] : value,
  );

/**
 * A retry still gets its replay, with the pseudonym where the address was and without what was said in the caller's own
 * words: forgetting the answer would do again what was done.
 */
async function sweepAnswers(place: SweepPlace, finder: AddressFinder, contactId: string | null): Promise<void> {
  const erasedAnswer = (answer: string): string => {
    const erased = answer.includes('@') ? finder.eraseJson(answer) : answer;
    const names = erased !== answer || (contactId !== null && answer.includes(contactId));
    return names ? withoutCallersOwn(erased) : answer;
  };
  for (let after: AnswerPlace | undefined = { endpoint: '', key: '' }; after !== undefined; ) {
    place.signal.throwIfAborted();
    const from: AnswerPlace = after;
    const rows = await place.read((handle) => listAnswers(handle, from));
    const found = rows.flatMap(({ endpoint, key, answer }) => {
      const erased = answer === null ? null : erasedAnswer(answer);
      return erased === answer ? [] : [{ endpoint, key, answer: erased }];
    });
    if (found.length > 0)
      await place.write(async ({ trx }) => {
        for (const { endpoint, key, answer } of found)
          await trx.db
            .updateTable('idempotency')
            .set({ answer })
            .where('workspace_id', '=', trx.workspaceId)
            .where('endpoint', '=', endpoint)
            .where('key', '=', key)
            .execute();
      });
    after = rows.length < page ? undefined : rows.at(-1);
  }
}

/** Of a job that is done nothing is kept but its payload; one that runs is its worker's. */
const states = ['failed', 'waiting', 'ready'] as const;

interface JobPlace {
  readonly run_at: number;
  readonly id: string;
}

/** Of all workspaces: the queue has no index by workspace alone. */
const listJobs = ({ db }: WorkspaceHandle, state: (typeof states)[number], after: JobPlace) =>
  db
    .selectFrom('jobs')
    .select(['id', 'workspace_id', 'run_at', 'payload', 'reason'])
    .where('state', '=', state)
    .where('run_at', '>=', after.run_at)
    .where((row) =>
      row.or([row('run_at', '>', after.run_at), row.and([row('run_at', '=', after.run_at), row('id', '>', after.id)])]),
    )
    .orderBy('run_at')
    .orderBy('id')
    .limit(page)
    .execute();

async function sweepJobs(place: SweepPlace, finder: AddressFinder, state: (typeof states)[number]): Promise<void> {
  for (let after: JobPlace | undefined = { run_at: Number.MIN_SAFE_INTEGER, id: '' }; after !== undefined; ) {
    place.signal.throwIfAborted();
    const from: JobPlace = after;
    const { rows, own } = await place.read(async (handle) => {
      const rows = await listJobs(handle, state, from);
      return { rows, own: rows.filter((row) => row.workspace_id === handle.workspaceId) };
    });
    const found = own.flatMap(({ id, payload, reason }) => {
      const erased = {
        payload: payload.includes('@') ? finder.eraseJson(payload) : payload,
        reason: reason === null ? null : finder.erase(reason),
      };
      return erased.payload === payload && erased.reason === reason ? [] : [{ id, ...erased }];
    });
    if (found.length > 0)
      await place.write(async ({ trx }) => {
        for (const { id, payload, reason } of found)
          await trx.db
            .updateTable('jobs')
            .set({ payload, reason })
            .where('workspace_id', '=', trx.workspaceId)
            .where('id', '=', id)
            // Whoever claimed it meanwhile writes its end.
            .where('state', '=', state)
            .execute();
      });
    after = rows.length < page ? undefined : rows.at(-1);
  }
}

/** Everything that is left once the rounds are done. */
export async function sweepPersonalData(
  workspaceId: string,
  place: SweepPlace,
  { contactId, emails }: DataSubject,
): Promise<void> {
  const finder = createAddressFinder(workspaceId, emails);
  await sweepAnswers(place, finder, contactId);
  for (const state of states) await sweepJobs(place, finder, state);
}
