// Contacts as the API shows them: in reads, in lists and in the data of events.
import { presenter, type ReadContext, toIsoTime, type WorkspaceHandle } from '../../core/index.ts';
import { type Contact, contactResourceObject } from './schema.ts';
import { type ContactEventRow, type ContactRow, contacts } from './tables.ts';

/** The addresses of these contacts that get no marketing mail. One database lookup for all of them. */
export function suppressedAmong(
  { services, trx }: ReadContext,
  rows: readonly Pick<ContactRow, 'email'>[],
  now: number,
): Promise<ReadonlySet<string>> {
  return services.suppressions.suppressedAmong(
    trx,
    rows.flatMap(({ email }) => (email === null ? [] : [email])),
    now,
  );
}

const presentColumns = presenter(contacts, contactResourceObject.omit({ subscribed: true }));

export const presentContact = (row: ContactRow, suppressed: ReadonlySet<string>): Contact => ({
  ...presentColumns(row),
  subscribed: row.email === null || !suppressed.has(row.email),
});

/** An entry of the timeline, without its kind, id and time. Events on the sandbox side are synthetic. */
export const presentEventFields = ({ type, metadata }: ContactEventRow, { sandbox }: WorkspaceHandle) => ({
  type,
  metadata,
  ...(sandbox === true ? { synthetic: true as const } : {}),
});

/** A custom event as an export shows it. */
export const presentEvent = (row: ContactEventRow, handle: WorkspaceHandle) => ({
  kind: 'event',
  id: row.id,
  ts: toIsoTime(row.ts),
  ...presentEventFields(row, handle),
});
