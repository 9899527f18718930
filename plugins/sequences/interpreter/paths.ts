// Reads values by path, and the zone of a contact, for filters, delays and texts. Reads own properties only.
import { namesZone } from '../../../core/unstable.ts';
import type { RunContext, RunEvent } from './types.ts';

/** The values that paths can read. */
export interface RunValues extends Pick<RunContext, 'contact' | 'variables' | 'isMember' | 'did' | 'now'> {
  readonly event: RunEvent | null;
  /** The zone of times without an offset. */
  readonly zone: string;
}

const ownProperty = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name]
    : undefined;

/** The values that templates see as contact, event and variables. */
export function valuesOf({ contact, event, variables }: Pick<RunValues, 'contact' | 'event' | 'variables'>) {
  const { id, external_id, email, subscribed, attributes } = contact;
  return {
    contact: { id, external_id, email, subscribed, attributes },
    event: event === null ? {} : { type: event.type, metadata: event.metadata ?? {}, data: event.data ?? {} },
    variables,
  };
}

/** The value at these names; undefined if it is missing or null. A property whose own name contains the dots takes precedence. */
function readNames(holder: unknown, names: readonly string[]): unknown {
  const dottedValue = ownProperty(holder, names.join('.'));
  if (dottedValue !== undefined || names.length === 0) return dottedValue ?? undefined;
  const [first = '', ...rest] = names;
  const value = ownProperty(holder, first);
  if (rest.length === 0 || value === undefined || value === null) return undefined;
  return readNames(value, rest);
}

/** The value at a path; undefined if it is missing. A list path is true for confirmed members and undefined for all others. */
export function readPath(path: string, known: RunValues): unknown {
  const [root = '', ...names] = path.split('.');
  if (root === 'list') return known.isMember(names.join('.')) ? true : undefined;
  return readNames(ownProperty(valuesOf(known), root), names);
}

/** The contact's attribute `timezone` if it is a valid zone or offset, otherwise the sequence's zone. */
export function zoneOf(contact: RunContext['contact'], fallback: string): string {
  const zoneAttribute = contact.attributes['timezone'];
  return namesZone(zoneAttribute) ? zoneAttribute : fallback;
}

/** The contact's attribute `timezone` if it is not a valid zone. Undefined if it is valid or missing. */
export function unknownZone({
  attributes: { timezone: named },
}: Pick<RunContext['contact'], 'attributes'>): string | undefined {
  if (named === undefined || named === null || namesZone(named)) return undefined;
  const letters = [...String(named)];
  return letters.length <= 80 ? letters.join('') : `${letters.slice(0, 80).join('')}…`;
}
