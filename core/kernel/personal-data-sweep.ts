// What no index finds of a person: answers stored for repeated calls, events about others that name an address, and failed jobs
// that carry or were refused one.
// Read page by page outside any transaction, written where something was found. Called after the rounds of an erasure.
import type { z } from 'zod';
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { AddressFinder, SidedSubject, SweepPlace } from '../contract/personal-data.ts';
import { withoutPersonal } from '../contract/personal-fields.ts';
import { createAddressFinder } from './personal-data-addresses.ts';

/** So many rows are read, and at most so many are written, at a time. */
const page = 500;

/** What is sought on a side of the workspace. */
interface Sought {
  readonly finder: AddressFinder;
  readonly personIds: readonly string[];
  readonly externalIds: ReadonlySet<unknown>;
}

/** By the flag of the rows: what is sought among those of the live side (0) and of the sandbox side (1). */
type SoughtBySide = (flag: number) => Sought | undefined;

function soughtBySide(workspaceId: string, subjects: readonly SidedSubject[]): SoughtBySide {
  const soughtOn = (side: boolean): Sought | undefined => {
    const own = subjects.filter(({ sandbox }) => sandbox === side);
    if (own.length === 0) return undefined;
    return {
      finder: createAddressFinder(workspaceId, [...new Set(own.flatMap(({ emails }) => emails))]),
      personIds: own.flatMap(({ personId }) => (personId === null ? [] : [personId])),
      externalIds: new Set(own.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]))),
    };
  };
  const [live, sandbox] = [soughtOn(false), soughtOn(true)];
  return (flag) => (Number(flag) === 1 ? sandbox : live);
}

/** The sandbox side for a sandbox handle, else both. */
const reachOf = (handle: WorkspaceHandle): WorkspaceHandle =>
  handle.sandbox === true ? handle : handle.bothSides('rows of both sides are swept in one go');

/**
 * Writes what was found in one transaction, each only where it still is what was read. False where something was not:
 * another erasure may have written there, and the page is to be read again.
 */
async function rewriteAll<T>(
  place: SweepPlace,
  found: readonly T[],
  rewrite: (handle: WorkspaceHandle, one: T) => Promise<{ readonly numUpdatedRows: bigint }>,
): Promise<boolean> {
  if (found.length === 0) return true;
  return place.write(async ({ trx }) => {
    let areSame = true;
    for (const one of found) if ((await rewrite(trx, one)).numUpdatedRows === 0n) areSame = false;
    return areSame;
  });
}

interface AnswerPlace {
  readonly endpoint: string;
  readonly key: string;
}

const listAnswers = ({ db }: WorkspaceHandle, after: AnswerPlace) =>
  db
    .selectFrom('idempotency')
    .select(['endpoint', 'key', 'answer', 'sandbox'])
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

/** The outputs of the composed operations by endpoint, as answers are stored: `POST /v1/notes`. */
export type Outputs = ReadonlyMap<string, z.ZodType>;

/** Without what the operation's schema marks as the person's; nothing is left of the answer of an operation that is gone. */
const withoutMarked = (json: string, output: z.ZodType | undefined, externalIds: ReadonlySet<unknown>): string =>
  output === undefined
    ? '{}'
    : JSON.stringify(withoutPersonal(output, JSON.parse(json), (value) => externalIds.has(value)));

/**
 * A retry still gets its replay, with the pseudonym where the address was and without what was said in the caller's own
 * words: forgetting the answer would do again what was done.
 */
async function sweepAnswers(place: SweepPlace, sought: SoughtBySide, outputs: Outputs): Promise<void> {
  const erasedAnswer = (endpoint: string, answer: string, side: Sought): string => {
    const erased = answer.includes('@') ? side.finder.eraseJson(answer) : answer;
    const names = erased !== answer || side.personIds.some((id) => answer.includes(id));
    return names ? withoutMarked(erased, outputs.get(endpoint), side.externalIds) : answer;
  };
  for (let after: AnswerPlace | undefined = { endpoint: '', key: '' }; after !== undefined; ) {
    place.signal.throwIfAborted();
    const from: AnswerPlace = after;
    const rows = await place.read((handle) => listAnswers(handle, from));
    const found = rows.flatMap(({ endpoint, key, answer, sandbox }) => {
      const side = sought(sandbox);
      const erased = answer === null || side === undefined ? answer : erasedAnswer(endpoint, answer, side);
      return erased === answer ? [] : [{ endpoint, key, answer, erased }];
    });
    const areSame = await rewriteAll(place, found, ({ db, workspaceId }, { endpoint, key, answer, erased }) =>
      db
        .updateTable('idempotency')
        .set({ answer: erased })
        .where('workspace_id', '=', workspaceId)
        .where('endpoint', '=', endpoint)
        .where('key', '=', key)
        .where('answer', '=', answer)
        .executeTakeFirst(),
    );
    if (areSame) after = rows.length < page ? undefined : rows.at(-1);
  }
}

interface EventPlace {
  readonly subject: string | null;
  readonly id: string;
}

/** Along the index of subjects: an event about nobody names nobody. */
const listEvents = (handle: WorkspaceHandle, after: EventPlace) =>
  reachOf(handle)
    .db.selectFrom('outbox')
    .select(['id', 'data', 'subject', 'sandbox'])
    .where('subject', '>=', after.subject)
    .where((row) =>
      row.or([
        row('subject', '>', after.subject),
        row.and([row('subject', '=', after.subject), row('id', '>', after.id)]),
      ]),
    )
    .orderBy('subject')
    .orderBy('id')
    .limit(page)
    .execute();

/** Those of somebody who had the address before or after: about them they stay, with the pseudonym. */
async function sweepEvents(place: SweepPlace, sought: SoughtBySide): Promise<void> {
  for (let after: EventPlace | undefined = { subject: '', id: '' }; after !== undefined; ) {
    place.signal.throwIfAborted();
    const from: EventPlace = after;
    const rows = await place.read((handle) => listEvents(handle, from));
    const found = rows.flatMap(({ id, data, sandbox }) => {
      const erased = data.includes('@') ? (sought(sandbox)?.finder.eraseJson(data) ?? data) : data;
      return erased === data ? [] : [{ id, data, erased }];
    });
    const areSame = await rewriteAll(place, found, (handle, { id, data, erased }) =>
      reachOf(handle)
        .db.updateTable('outbox')
        .set({ data: erased })
        .where('id', '=', id)
        .where('data', '=', data)
        .executeTakeFirst(),
    );
    if (areSame) after = rows.length < page ? undefined : rows.at(-1);
  }
}

interface JobPlace {
  readonly run_at: number;
  readonly id: string;
}

/** Those that failed, of all workspaces: the queue has no index by workspace alone, and they are few. */
const listFailedJobs = ({ db }: WorkspaceHandle, after: JobPlace) =>
  db
    .selectFrom('jobs')
    .select(['id', 'workspace_id', 'run_at', 'payload', 'reason', 'sandbox'])
    .where('state', '=', 'failed')
    .where('run_at', '>=', after.run_at)
    .where((row) =>
      row.or([row('run_at', '>', after.run_at), row.and([row('run_at', '=', after.run_at), row('id', '>', after.id)])]),
    )
    .orderBy('run_at')
    .orderBy('id')
    .limit(page)
    .execute();

/** Jobs that say whose they are were found by their index (personal-data-core.ts): these only may name an address. */
async function sweepFailedJobs(place: SweepPlace, sought: SoughtBySide): Promise<void> {
  for (let after: JobPlace | undefined = { run_at: Number.MIN_SAFE_INTEGER, id: '' }; after !== undefined; ) {
    place.signal.throwIfAborted();
    const from: JobPlace = after;
    const { rows, own } = await place.read(async (handle) => {
      const rows = await listFailedJobs(handle, from);
      return { rows, own: rows.filter((row) => row.workspace_id === handle.workspaceId) };
    });
    const found = own.flatMap(({ id, payload, reason, sandbox }) => {
      const finder = sought(sandbox)?.finder;
      if (finder === undefined) return [];
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
            // An operator may have revived it: then its worker writes its end.
            .where('state', '=', 'failed')
            .execute();
      });
    after = rows.length < page ? undefined : rows.at(-1);
  }
}

/** Everything that is left once the rounds are done, of the sides that the subjects name. */
export async function sweepPersonalData(
  place: SweepPlace,
  workspaceId: string,
  subjects: readonly SidedSubject[],
  outputs: Outputs,
): Promise<void> {
  const sought = soughtBySide(workspaceId, subjects);
  await sweepAnswers(place, sought, outputs);
  if (subjects.every(({ emails }) => emails.length === 0)) return;
  await sweepEvents(place, sought);
  await sweepFailedJobs(place, sought);
}
