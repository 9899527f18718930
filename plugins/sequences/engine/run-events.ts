// Converts events to the form that runs read, and finds the contacts that they are about. Used for arriving and for
// stored events.
import type { EventEnvelope, ServiceContext } from '../../../core/index.ts';
import type { ContactEventRow } from '../../contacts/index.ts';
import type { RunEvent } from '../interpreter/types.ts';

type Data = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The id or the email address of the contact that an event is about. */
export function contactNameOf({ ports }: ServiceContext, { type, source, data }: EventEnvelope): string | undefined {
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
