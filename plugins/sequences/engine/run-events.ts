// Events as runs see them, and the contacts that they are about. Called with events that arrive, and with stored ones.
import type { EventEnvelope, ServiceContext } from '../../../core/index.ts';
import type { ContactEventRow } from '../../contacts/index.ts';
import type { RunEvent } from '../interpreter/types.ts';

type Data = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The contact that an event is about, by id or email address. */
export function namedBy({ ports }: ServiceContext, { type, source, data }: EventEnvelope): string | undefined {
  if (source === 'custom')
    return isObject(data) && isObject(data['contact']) ? textOf(data['contact']['id']) : undefined;
  return ports.events.get(type)?.person?.(data) ?? undefined;
}

/** An event that was delivered. */
export function eventOf({ id, type, timestamp, source, data }: EventEnvelope): RunEvent {
  const fields = isObject(data) ? data : {};
  const metadata = isObject(fields['metadata']) ? fields['metadata'] : {};
  const isCustom = source === 'custom';
  const contents = isCustom ? { metadata, data: null } : { metadata: null, data: fields };
  return { id, type, at: Date.parse(timestamp), ...contents };
}

/** A custom event on the timeline of its contact. */
export const eventOfTimeline = ({ id, type, ts, metadata }: ContactEventRow): RunEvent => ({
  id,
  type,
  at: ts,
  metadata,
  data: null,
});
