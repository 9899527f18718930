// Makes an event's envelope from its stored row. A row always gives the same text, because webhooks sign it at every attempt.
import type { EventEnvelope } from '../contract/events.ts';
import { defineStatement, type WorkspaceHandle } from '../contract/handle.ts';
import type { OutboxRow } from '../storage/core-tables.ts';
import { defineListStatement, ofWorkspace } from '../storage/list-statement.ts';

/** The columns of a stored event that its envelope needs. */
export type StoredEvent = Omit<OutboxRow, 'subject' | 'sandbox'>;

const columns = ['id', 'workspace_id', 'type', 'source', 'synthetic', 'data', 'created_at'] as const;

const byId = defineStatement((db, p: { id: string }) => db.selectFrom('outbox').select(columns).where('id', '=', p.id));

/** Reads a stored event; undefined after its retention. */
export const findEvent = (handle: WorkspaceHandle, id: string): Promise<StoredEvent | undefined> =>
  handle.one(byId, { id });

const listed = defineListStatement((db, p: { workspace_id: string }, ids) =>
  db.selectFrom('outbox').select(columns).where('id', 'in', ids).where(ofWorkspace('workspace_id', p.workspace_id)),
);

/** Reads the stored events among these ids. At most 256. */
export async function findEvents(
  handle: WorkspaceHandle,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredEvent>> {
  const rows = await handle.all(...listed(ids, { workspace_id: handle.workspaceId }));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The event as JSON: fields in this order, and `data` as it was written. */
export function eventText(row: StoredEvent): string {
  const { id, type, workspace_id, source, synthetic, created_at } = row;
  const timestamp = new Date(created_at).toISOString();
  const marked = synthetic === 1 ? { synthetic: true } : {};
  const head = JSON.stringify({ id, type, timestamp, workspace_id, source, ...marked });
  return `${head.slice(0, -1)},"data":${row.data}}`;
}

/** The event as a value. */
export const eventEnvelope = (row: StoredEvent): EventEnvelope => JSON.parse(eventText(row)) as EventEnvelope;
