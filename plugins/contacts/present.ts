// Contacts as they are shown: on reads, in lists, in the data of events.
import type { ServiceSurface, WorkspaceHandle } from '../../core/index.ts';
import { toIsoTime } from '../../core/index.ts';
import type { Contact } from './schema.ts';
import type { ContactEventRow, ContactRow } from './tables.ts';

/** Of these contacts' addresses, those that get no mail at all; one look-up for all of them. */
export function suppressedAmong(
  { services }: ServiceSurface,
  handle: WorkspaceHandle,
  rows: readonly Pick<ContactRow, 'email'>[],
  now: number,
): Promise<ReadonlySet<string>> {
  return services.suppressions.suppressedAmong(
    handle,
    rows.flatMap(({ email }) => (email === null ? [] : [email])),
    now,
  );
}

export const presentContact = (row: ContactRow, suppressed: ReadonlySet<string>): Contact => ({
  id: row.id,
  external_id: row.external_id,
  email: row.email,
  attributes: JSON.parse(row.attributes) as Contact['attributes'],
  subscribed: row.email === null || !suppressed.has(row.email),
  created_at: toIsoTime(row.created_at),
  updated_at: toIsoTime(row.updated_at),
});

/** An entry of the timeline, without its kind, id and time. */
export const presentEventFields = (row: ContactEventRow) => ({
  type: row.type,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
  ...(row.synthetic === 1 ? { synthetic: true as const } : {}),
});

/** A custom event as an export shows it. */
export const presentEvent = (row: ContactEventRow) => ({
  kind: 'event',
  id: row.id,
  ts: toIsoTime(row.ts),
  ...presentEventFields(row),
});
