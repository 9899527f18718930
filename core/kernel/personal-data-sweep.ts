// Erases personal data that no index finds: in answers stored for repeated calls, in events about other people that name an
// address, and in failed jobs. Reads page by page outside any transaction and writes the rows with a match. Called after the
// rounds of an erasure.
import type { ExpressionBuilder } from 'kysely';
import type { z } from 'zod';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { AddressFinder, PersonIdentifiersOnSide, SweepContext } from '../contract/declaration/personal-data.ts';
import { withoutPersonal } from '../contract/declaration/personal-fields.ts';
import type { Tables } from '../contract/open.ts';
import { parseAddress } from '../contract/values/addresses.ts';
import { removeStoredPieces, searchableBytes } from '../pipeline/stored-bytes.ts';
import { type CursorPosition, newerThan } from '../storage/cursor.ts';
import { createAddressFinder, pseudonymOf } from './personal-data-addresses.ts';

/** How many rows are read, and at most written, at a time. */
const pageSize = 500;

/** The person's data to search for on one side of the workspace. */
interface PersonSearch {
  readonly finder: AddressFinder;
  readonly pseudonyms: readonly string[];
  readonly personIds: readonly string[];
  readonly externalIds: ReadonlySet<unknown>;
}

/** The search for a row's side: 0 is the live side, 1 the sandbox side. */
type SearchBySide = (flag: number) => PersonSearch | undefined;

function searchBySide(workspaceId: string, subjects: readonly PersonIdentifiersOnSide[]): SearchBySide {
  const searchOn = (side: boolean): PersonSearch | undefined => {
    const subjectsOnSide = subjects.filter(({ sandbox }) => sandbox === side);
    if (subjectsOnSide.length === 0) return undefined;
    const emails = [...new Set(subjectsOnSide.flatMap((subject) => subject.emails))];
    return {
      finder: createAddressFinder(workspaceId, emails),
      pseudonyms: emails.map((email) => pseudonymOf(workspaceId, email)),
      personIds: subjectsOnSide.flatMap(({ personId }) => (personId === null ? [] : [personId])),
      externalIds: new Set(subjectsOnSide.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]))),
    };
  };
  const [live, sandbox] = [searchOn(false), searchOn(true)];
  return (flag) => (Number(flag) === 1 ? sandbox : live);
}

/** The sandbox side for a sandbox handle, else both. */
const sidesOf = (handle: WorkspaceHandle): WorkspaceHandle =>
  handle.sandbox === true ? handle : handle.bothSides('the sweep handles the rows of both sides together');

/**
 * Rewrites the found rows in one transaction, each only if it has not changed since it was read. Returns false if a row has
 * changed, for example by another erasure: then the page must be read again.
 */
async function rewriteAll<T>(
  context: SweepContext,
  matches: readonly T[],
  rewrite: (handle: WorkspaceHandle, row: T) => Promise<{ readonly numUpdatedRows: bigint }>,
): Promise<boolean> {
  if (matches.length === 0) return true;
  return context.write(async ({ trx }) => {
    let areUnchanged = true;
    for (const row of matches) if ((await rewrite(trx, row)).numUpdatedRows === 0n) areUnchanged = false;
    return areUnchanged;
  });
}

interface AnswerPosition {
  readonly endpoint: string;
  readonly key: string;
}

const listAnswers = ({ db }: WorkspaceHandle, after: AnswerPosition) =>
  db
    .selectFrom('idempotency')
    .select(['endpoint', 'key', 'answer', 'representation', 'sandbox'])
    .where('endpoint', '>=', after.endpoint)
    .where((row) =>
      row.or([
        row('endpoint', '>', after.endpoint),
        row.and([row('endpoint', '=', after.endpoint), row('key', '>', after.key)]),
      ]),
    )
    .orderBy('endpoint')
    .orderBy('key')
    .limit(pageSize)
    .execute();

/** The outputs of the composed operations by endpoint, as answers are stored: `POST /v1/notes`. */
export type Outputs = ReadonlyMap<string, z.ZodType>;

/** Whether a text inside this value fulfils the condition. */
function someText(value: unknown, fulfils: (text: string) => boolean): boolean {
  if (typeof value === 'string') return fulfils(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => someText(inner, fulfils));
}

/**
 * The answer without the fields that the operation's schema marks as personal; empty if the operation no longer exists. A list
 * item that names other people by their addresses, and not this person, stays as it is.
 */
function withoutPersonalFields(json: string, output: z.ZodType | undefined, side: PersonSearch): string {
  if (output === undefined) return '{}';
  const { personIds, externalIds, pseudonyms } = side;
  const namesPerson = (text: string): boolean =>
    personIds.includes(text) || externalIds.has(text) || pseudonyms.some((pseudonym) => text.includes(pseudonym));
  const isOfOthers = (item: unknown): boolean =>
    someText(item, (text) => parseAddress(text) !== undefined) && !someText(item, namesPerson);
  return JSON.stringify(withoutPersonal(output, JSON.parse(json), (value) => externalIds.has(value), isOfOthers));
}

/** A stored answer in bytes. */
interface AnswerInBytes extends AnswerPosition {
  readonly representation: string;
}

const isAnswer =
  ({ endpoint, key, representation }: AnswerInBytes) =>
  (row: ExpressionBuilder<Tables, 'idempotency'>) =>
    row.and([row('endpoint', '=', endpoint), row('key', '=', key), row('representation', '=', representation)]);

/** Whether the bytes name the person. Also true for bytes that cannot be searched, because they may name the person. */
async function mayNamePerson(handle: WorkspaceHandle, response: AnswerInBytes, side: PersonSearch): Promise<boolean> {
  const row = await handle.db
    .selectFrom('idempotency')
    .select(['representation', 'bytes'])
    .where(isAnswer(response))
    .executeTakeFirst();
  if (row === undefined) return false;
  const text = await searchableBytes(handle, row);
  if (text === undefined) return true;
  const names = [...side.personIds, ...side.externalIds].map(String);
  return names.some((name) => text.includes(name)) || (text.includes('@') && side.finder.isIn(text));
}

/** Deletes the bytes of a stored answer. From then on, its replay is JSON. */
async function dropBytes(
  handle: WorkspaceHandle,
  response: AnswerInBytes,
): Promise<{ readonly numUpdatedRows: bigint }> {
  await removeStoredPieces(handle, response.representation);
  return handle.db
    .updateTable('idempotency')
    .set({ representation: null, bytes: null })
    .where(isAnswer(response))
    .executeTakeFirst();
}

/**
 * Replaces the address in stored answers by its pseudonym and removes personal fields. The records stay: without its record a
 * retry would repeat the call.
 */
async function sweepAnswers(context: SweepContext, searchOf: SearchBySide, outputs: Outputs): Promise<void> {
  const inBytes = async (rows: Awaited<ReturnType<typeof listAnswers>>): Promise<AnswerInBytes[]> => {
    const matches: AnswerInBytes[] = [];
    for (const { endpoint, key, representation, sandbox } of rows) {
      const side = searchOf(sandbox);
      if (representation === null || side === undefined) continue;
      const answer = { endpoint, key, representation };
      if (await context.read((handle) => mayNamePerson(handle, answer, side))) matches.push(answer);
    }
    return matches;
  };
  const erasedAnswer = (endpoint: string, answer: string, side: PersonSearch): string => {
    const erased = answer.includes('@') ? side.finder.eraseJson(answer) : answer;
    const concernsPerson = erased !== answer || side.personIds.some((id) => answer.includes(id));
    return concernsPerson ? withoutPersonalFields(erased, outputs.get(endpoint), side) : answer;
  };
  for (let after: AnswerPosition | undefined = { endpoint: '', key: '' }; after !== undefined; ) {
    context.signal.throwIfAborted();
    const from: AnswerPosition = after;
    const rows = await context.read((handle) => listAnswers(handle, from));
    const matches = rows.flatMap(({ endpoint, key, answer, sandbox }) => {
      const side = searchOf(sandbox);
      const erased = answer === null || side === undefined ? answer : erasedAnswer(endpoint, answer, side);
      return erased === answer ? [] : [{ endpoint, key, answer, erased }];
    });
    const areUnchanged = await rewriteAll(context, matches, ({ db }, { endpoint, key, answer, erased }) =>
      db
        .updateTable('idempotency')
        .set({ answer: erased })
        .where('endpoint', '=', endpoint)
        .where('key', '=', key)
        .where('answer', '=', answer)
        .executeTakeFirst(),
    );
    const areDropped = await rewriteAll(context, await inBytes(rows), dropBytes);
    if (areUnchanged && areDropped) after = rows.length < pageSize ? undefined : rows.at(-1);
  }
}

interface EventPosition {
  readonly subject: string | null;
  readonly id: string;
}

/** A page of events along the index on their subject: events with a subject, or events without one. */
function listEvents(handle: WorkspaceHandle, { subject, id }: EventPosition) {
  const events = sidesOf(handle).db.selectFrom('outbox').select(['id', 'data', 'subject', 'sandbox']);
  const remainingEvents =
    subject === null
      ? events.where('subject', 'is', null).where('id', '>', id)
      : events
          .where('subject', '>=', subject)
          .where((row) =>
            row.or([row('subject', '>', subject), row.and([row('subject', '=', subject), row('id', '>', id)])]),
          );
  return remainingEvents.orderBy('subject').orderBy('id').limit(pageSize).execute();
}

/** Replaces the address in events, starting at one position of the index. */
async function sweepEventsFrom(context: SweepContext, searchOf: SearchBySide, start: EventPosition): Promise<void> {
  for (let after: EventPosition | undefined = start; after !== undefined; ) {
    context.signal.throwIfAborted();
    const from: EventPosition = after;
    const rows = await context.read((handle) => listEvents(handle, from));
    const matches = rows.flatMap(({ id, data, sandbox }) => {
      const erased = data.includes('@') ? (searchOf(sandbox)?.finder.eraseJson(data) ?? data) : data;
      return erased === data ? [] : [{ id, data, erased }];
    });
    const areUnchanged = await rewriteAll(context, matches, (handle, { id, data, erased }) =>
      sidesOf(handle)
        .db.updateTable('outbox')
        .set({ data: erased })
        .where('id', '=', id)
        .where('data', '=', data)
        .executeTakeFirst(),
    );
    if (areUnchanged) after = rows.length < pageSize ? undefined : rows.at(-1);
  }
}

/**
 * Replaces the address in events about other people, for example people who had the same address before or after, and in events
 * without a subject, such as those of pages, whose texts may mention it.
 */
async function sweepEvents(context: SweepContext, searchOf: SearchBySide): Promise<void> {
  await sweepEventsFrom(context, searchOf, { subject: '', id: '' });
  await sweepEventsFrom(context, searchOf, { subject: null, id: '' });
}

/** Lists the failed jobs of a side along the index of their times. Every failed job has one. */
const listFailedJobs = ({ db }: WorkspaceHandle, side: number, after: CursorPosition) =>
  db
    .selectFrom('jobs')
    .select(['id', 'failed_at', 'payload', 'reason'])
    .where('state', '=', 'failed')
    .where('sandbox', '=', side)
    .where(newerThan('failed_at', 'id', after))
    .orderBy('failed_at')
    .orderBy('id')
    .limit(pageSize)
    .execute();

/** Replaces the address in failed jobs without a subject. personal-data-core.ts erases jobs with a subject. */
async function sweepFailedJobs(context: SweepContext, searchOf: SearchBySide): Promise<void> {
  for (const side of [0, 1]) {
    const finder = searchOf(side)?.finder;
    if (finder !== undefined) await sweepFailedJobsOf(context, side, finder);
  }
}

async function sweepFailedJobsOf(context: SweepContext, side: number, finder: AddressFinder): Promise<void> {
  for (let after: CursorPosition | undefined = { createdAt: 0, id: '' }; after !== undefined; ) {
    context.signal.throwIfAborted();
    const from: CursorPosition = after;
    const rows = await context.read((handle) => listFailedJobs(handle, side, from));
    const matches = rows.flatMap(({ id, payload, reason }) => {
      const erased = {
        payload: payload.includes('@') ? finder.eraseJson(payload) : payload,
        reason: reason === null ? null : finder.erase(reason),
      };
      return erased.payload === payload && erased.reason === reason ? [] : [{ id, ...erased }];
    });
    if (matches.length > 0)
      await context.write(async ({ trx }) => {
        for (const { id, payload, reason } of matches)
          await trx.db
            .updateTable('jobs')
            .set({ payload, reason })
            .where('id', '=', id)
            // If an operator has made the job ready again, its worker writes its end.
            .where('state', '=', 'failed')
            .execute();
      });
    const last = rows.length < pageSize ? undefined : rows.at(-1);
    after = last === undefined ? undefined : { createdAt: last.failed_at ?? 0, id: last.id };
  }
}

/** Erases the data that the rounds could not find, on the sides of the subjects. */
export async function sweepPersonalData(
  context: SweepContext,
  workspaceId: string,
  subjects: readonly PersonIdentifiersOnSide[],
  outputs: Outputs,
): Promise<void> {
  const searchOf = searchBySide(workspaceId, subjects);
  await sweepAnswers(context, searchOf, outputs);
  if (subjects.every(({ emails }) => emails.length === 0)) return;
  await sweepEvents(context, searchOf);
  await sweepFailedJobs(context, searchOf);
}
