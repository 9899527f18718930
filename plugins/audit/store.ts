// The SQL of the audit plugin: reads the core's audit table, and its log of requests.
import {
  type CursorPosition,
  notOlderThan,
  olderThan,
  scanEnd,
  toIsoTime,
  type WorkspaceHandle,
  type z,
} from '../../core/index.ts';
import type { auditEntry, loggedRequest } from './schema.ts';

/** The filters of a list. */
export interface AuditFilter {
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** A key's id, or a kind of actor. */
  readonly actor: string | undefined;
  /** An action, or a prefix ending in `.*`. */
  readonly action: string | undefined;
}

type AuditView = Awaited<ReturnType<typeof matchingEntries>>[number];

/** The start of a page of entries, and its end if the page reads a bounded number of entries. */
interface EntryBounds {
  readonly limit: number;
  readonly after: CursorPosition | undefined;
  readonly scannedTo: CursorPosition | undefined;
}

/**
 * A page plus one entry, newest first. A sandbox handle reads the entries of the sandbox. A live handle reads both sides, because the audit would
 * not be complete without the drafts that a sandbox key changed. No index contains actors or actions, because it would slow every change down.
 * With such a filter, a page therefore looks through 20,000 entries of each side.
 */
export async function listEntries(
  handle: WorkspaceHandle,
  filter: AuditFilter,
  limit: number,
  after: CursorPosition | undefined,
): Promise<{ readonly rows: readonly AuditView[]; readonly scannedTo: CursorPosition | undefined }> {
  const sides = handle.sandbox === false ? [handle, handle.onSide(true)] : [handle];
  const isScanned = filter.actor !== undefined || filter.action !== undefined;
  let scannedTo: CursorPosition | undefined;
  for (const side of isScanned ? sides : []) {
    const end = await scanEnd(entriesInTime(side, filter), 'ts', 'id', after);
    // The page ends where the first of its sides ends. Beyond that point, it would lack the entries of that side.
    if (end !== undefined && (scannedTo === undefined || isNewer(end, scannedTo))) scannedTo = end;
  }
  const rows: AuditView[] = [];
  for (const side of sides) rows.push(...(await matchingEntries(side, filter, { limit, after, scannedTo })));
  rows.sort((a, b) => b.ts - a.ts || (a.id < b.id ? 1 : -1));
  return { rows: rows.slice(0, limit + 1), scannedTo };
}

const isNewer = (a: CursorPosition, b: CursorPosition): boolean =>
  a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);

/** The entries of the handle's side in a span of time. */
function entriesInTime({ db }: WorkspaceHandle, { since, until }: Pick<AuditFilter, 'since' | 'until'>) {
  let query = db.selectFrom('audit').selectAll();
  if (since !== undefined) query = query.where('ts', '>=', since);
  if (until !== undefined) query = query.where('ts', '<', until);
  return query;
}

async function matchingEntries(handle: WorkspaceHandle, filter: AuditFilter, { limit, after, scannedTo }: EntryBounds) {
  const { actor, action } = filter;
  let query = entriesInTime(handle, filter);
  if (actor !== undefined) query = query.where(actor.startsWith('key_') ? 'actor_key_id' : 'actor_kind', '=', actor);
  if (action?.endsWith('.*')) {
    // The range of all texts with the prefix. Not a LIKE pattern, so no character has a special meaning.
    const prefix = action.slice(0, -1);
    query = query.where('action', '>=', prefix).where('action', '<', `${prefix.slice(0, -1)}/`);
  } else if (action !== undefined) query = query.where('action', '=', action);
  if (after !== undefined) query = query.where(olderThan('ts', 'id', after));
  if (scannedTo !== undefined) query = query.where(notOlderThan('ts', 'id', scannedTo));
  return query
    .orderBy('ts', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

export function presentEntry(row: AuditView): z.input<typeof auditEntry> {
  const { ip, client, user } = JSON.parse(row.actor) as { ip?: string; client?: string; user?: string };
  return {
    id: row.id,
    ts: toIsoTime(row.ts),
    actor: {
      kind: row.actor_kind as 'api',
      ...(row.actor_key_id === null ? {} : { key_id: row.actor_key_id }),
      ...(ip === undefined ? {} : { ip }),
      ...(client === undefined ? {} : { client }),
      ...(user === undefined ? {} : { user }),
    },
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id },
    request_id: row.request_id,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    ...(row.idempotency_key === null ? {} : { idempotency_key: row.idempotency_key }),
    ...(row.sandbox === 1 ? { sandbox: true } : {}),
  };
}

/** The filters of the log of requests. */
export interface RequestFilter {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

type RequestView = Awaited<ReturnType<typeof listLoggedRequests>>[number];

/** A page plus one request, on the handle's side, newest first. */
export async function listLoggedRequests(
  { db }: WorkspaceHandle,
  { since, until }: RequestFilter,
  limit: number,
  after: CursorPosition | undefined,
) {
  let query = db.selectFrom('request_log').selectAll();
  if (since !== undefined) query = query.where('ts', '>=', since);
  if (until !== undefined) query = query.where('ts', '<', until);
  if (after !== undefined) query = query.where(olderThan('ts', 'id', after));
  return query
    .orderBy('ts', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

export const presentRequest = (row: RequestView): z.input<typeof loggedRequest> => ({
  id: row.id,
  request_id: row.request_id,
  ts: toIsoTime(row.ts),
  method: row.method,
  route: row.route,
  status: row.status,
  key_id: row.key_id,
  ms: row.ms,
});
