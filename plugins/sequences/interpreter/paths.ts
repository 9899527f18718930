// Values by path, and the zone of a contact: what filters, delays and texts read. Own properties only.
import { isTimeZone, offsetMsOf } from '../../../core/unstable.ts';
import type { RunContext, RunEvent } from './types.ts';

/** What paths read from. */
export interface Known extends Pick<RunContext, 'contact' | 'variables' | 'isMember' | 'now'> {
  readonly event: RunEvent | null;
  /** The zone in which times without offset are meant. */
  readonly zone: string;
}

const own = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name]
    : undefined;

/** What templates see as contact, event and variables. */
export function valuesOf({ contact, event, variables }: Pick<Known, 'contact' | 'event' | 'variables'>) {
  const { id, external_id, email, subscribed, attributes } = contact;
  return {
    contact: { id, external_id, email, subscribed, attributes },
    event: event === null ? {} : { type: event.type, metadata: event.metadata ?? {}, data: event.data ?? {} },
    variables,
  };
}

/** The value at names; undefined where it is missing or null. A dotted name that stands as one comes first. */
function readNames(holder: unknown, names: readonly string[]): unknown {
  const whole = own(holder, names.join('.'));
  if (whole !== undefined || names.length === 0) return whole ?? undefined;
  const [first = '', ...rest] = names;
  const value = own(holder, first);
  if (rest.length === 0 || value === undefined || value === null) return undefined;
  return readNames(value, rest);
}

/** The value at a path; undefined where it is missing. A list is true for its confirmed members and missing for others. */
export function readPath(path: string, known: Known): unknown {
  const [root = '', ...names] = path.split('.');
  if (root === 'list') return known.isMember(names.join('.')) ? true : undefined;
  return readNames(own(valuesOf(known), root), names);
}

const isZone = (named: unknown): named is string =>
  typeof named === 'string' && named.length <= 100 && (offsetMsOf(named) !== undefined || isTimeZone(named));

/** The contact's attribute timezone where it names one, as a zone or an offset; else the sequence's. */
export function zoneOf(contact: RunContext['contact'], fallback: string): string {
  const named = contact.attributes['timezone'];
  return isZone(named) ? named : fallback;
}

/** The contact's attribute timezone where it names no zone; undefined where it does, or is missing. */
export function unknownZone({
  attributes: { timezone: named },
}: Pick<RunContext['contact'], 'attributes'>): string | undefined {
  if (named === undefined || named === null || isZone(named)) return undefined;
  const letters = [...String(named)];
  return letters.length <= 80 ? letters.join('') : `${letters.slice(0, 80).join('')}…`;
}
