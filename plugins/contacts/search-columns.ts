// Columns of a contact that are computed at every change, because statements cannot compute them: the times among its attributes, which depend on
// the contact's time zone, and the pseudonym of its address. Suppressions of erased people contain pseudonyms only.
import { pseudonymOf, type WorkspaceHandle } from '../../core/index.ts';
import { localSpan, namesZone, parseIsoTime } from '../../core/unstable.ts';
import type { ContactRow } from './tables.ts';

/**
 * A time of an attribute, in milliseconds: the moment `at`, and the first and the last local time that mean this moment in the
 * contact's zone (`localSpan`).
 */
export type AttributeTimeSpan = readonly [at: number, from: number, to: number];

/** The times among the attributes, by name. A list has one entry for each of its values. */
export type AttributeTimes = Readonly<Record<string, AttributeTimeSpan | readonly (AttributeTimeSpan | null)[]>>;

/** The zone of a contact's times without an offset: its attribute `timezone`, otherwise UTC. */
export function contactZone({ attributes }: Pick<ContactRow, 'attributes'>): string {
  const zone = Object.hasOwn(attributes, 'timezone') ? attributes['timezone'] : undefined;
  return namesZone(zone) ? zone : 'UTC';
}

function spanOf(value: unknown, zone: string): AttributeTimeSpan | null {
  const at = typeof value === 'string' ? parseIsoTime(value, zone) : undefined;
  if (at === undefined) return null;
  const { from, to } = localSpan(zone, at);
  return [at, from, to];
}

/** The times among the attributes; null if there are none. */
export function attributeTimes(row: Pick<ContactRow, 'attributes'>): AttributeTimes | null {
  const zone = contactZone(row);
  const times = Object.entries(row.attributes).flatMap(([name, value]): [string, AttributeTimes[string]][] => {
    if (!Array.isArray(value)) {
      const span = spanOf(value, zone);
      return span === null ? [] : [[name, span]];
    }
    const spans = value.map((element) => spanOf(element, zone));
    return spans.some((span) => span !== null) ? [[name, spans]] : [];
  });
  return times.length === 0 ? null : Object.fromEntries(times);
}

/** The row, including its computed columns. */
export const withSearchColumns = ({ workspaceId }: WorkspaceHandle, row: ContactRow): ContactRow => ({
  ...row,
  attribute_times: attributeTimes(row),
  email_pseudonym: row.email === null ? null : pseudonymOf(workspaceId, row.email),
});
