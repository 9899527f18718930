// Makes an event's envelope from its stored row. A row always gives the same text, because webhooks sign it at every attempt.

import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { EventEnvelope } from '../contract/declaration/events.ts';
import type { OutboxRow } from '../storage/core-tables.ts';
import { defineListStatement } from '../storage/list-statement.ts';

/** The columns of a stored event that its envelope needs. */
export type StoredEvent = Omit<OutboxRow, 'subject' | 'sandbox'>;

const columns = ['id', 'workspace_id', 'type', 'source', 'synthetic', 'data', 'created_at'] as const;

const byId = defineStatement((db, p: { id: string }) => db.selectFrom('outbox').select(columns).where('id', '=', p.id));

/** Reads a stored event; undefined after its retention. */
export const findEvent = (handle: WorkspaceHandle, id: string): Promise<StoredEvent | undefined> =>
  handle.one(byId, { id });

const eventsById = defineListStatement((db, _: object, ids) =>
  db.selectFrom('outbox').select(columns).where('id', 'in', ids),
);

/** Reads the stored events among these ids. At most 256. */
export async function findEvents(
  handle: WorkspaceHandle,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredEvent>> {
  const rows = await handle.all(...eventsById(ids, {}));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Events of the service of one type about a person. */
export interface EventsAbout {
  /** The subjects of the events: the id and the address of the person. */
  readonly subjects: readonly string[];
  readonly type: string;
  /** Only events from this time on. */
  readonly from: number;
}

/** How many events about a person one statement reads. */
const eventsPerRead = 100;

// One subject, as a range in the order of the index: with an equality, PostgreSQL may walk all events in the order of their ids.
// The limit is a literal: SQLite prepares a statement again each time its limit is bound.
const eventsAbout = defineStatement((db, p: { subject: string; type: string; from: number; after: string }) =>
  db
    .selectFrom('outbox')
    .select(columns)
    .where('subject', '>=', p.subject)
    .where('subject', '<=', p.subject)
    .where('id', '>', p.after)
    .where('type', '=', p.type)
    .where('source', '=', 'service')
    .where('created_at', '>=', p.from)
    .orderBy('subject')
    .orderBy('id')
    .limit(({ lit }) => lit(eventsPerRead)),
);

/**
 * Iterates over the stored events about a person, oldest first. An event in which no consumer had an interest is not
 * stored.
 */
export async function* readEventsAbout(
  handle: WorkspaceHandle,
  { subjects, type, from }: EventsAbout,
): AsyncGenerator<EventEnvelope> {
  for (let lastId: string | undefined = ''; lastId !== undefined; ) {
    const rows: StoredEvent[] = [];
    for (const subject of new Set(subjects))
      rows.push(...(await handle.all(eventsAbout, { subject, type, from, after: lastId })));
    const next = rows.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, eventsPerRead);
    yield* next.map(eventEnvelope);
    lastId = next.length < eventsPerRead ? undefined : next.at(-1)?.id;
  }
}

/** The event as JSON: fields in this order, and `data` as it was written. */
export function eventText(row: StoredEvent): string {
  const { id, type, workspace_id, source, synthetic, created_at } = row;
  const timestamp = new Date(created_at).toISOString();
  const syntheticField = synthetic === 1 ? { synthetic: true } : {};
  const head = JSON.stringify({ id, type, timestamp, workspace_id, source, ...syntheticField });
  return `${head.slice(0, -1)},"data":${row.data}}`;
}

/** The event as a value. */
export const eventEnvelope = (row: StoredEvent): EventEnvelope => JSON.parse(eventText(row)) as EventEnvelope;
