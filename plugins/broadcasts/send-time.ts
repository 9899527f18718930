// When the mails of a broadcast may leave: at one moment, or at one local time in the zones of the recipients. Pure.
import { namesZone, parseIsoTime, readIsoTime } from '../../core/unstable.ts';
import type { BroadcastRow } from './broadcasts.ts';

type Timed = Pick<BroadcastRow, 'send_at' | 'timezone'>;

/** The zones in which a day begins first and last. */
const firstZone = '+14:00';
const lastZone = '-12:00';

/** Whether each recipient gets the mail at the same local time. */
export const isLocal = ({ timezone }: Timed): boolean => timezone === 'recipient';

/** The time at which a draft is planned, in milliseconds. Null if it has no time. */
export function plannedMoment({ send_at: text, timezone }: Timed): number | null {
  return text === null ? null : (parseIsoTime(text, timezone === 'recipient' ? firstZone : timezone) ?? null);
}

/** The time from which the first mail may leave, in milliseconds: `now` if it has no time, or if the time has passed. */
export const firstMoment = (timed: Timed, now: number): number => Math.max(now, plannedMoment(timed) ?? now);

/** The time from which the mail to a recipient in this zone may leave, in milliseconds. */
export function momentFor(
  { send_at: text, timezone }: Timed,
  zone: unknown,
  fallback: string,
  earliest: number,
): number {
  if (text === null || timezone !== 'recipient') return earliest;
  return Math.max(earliest, parseIsoTime(text, namesZone(zone) ? zone : fallback) ?? earliest);
}

/** The reason why the time cannot be scheduled; undefined if it can. A minute is allowed for clocks that differ. */
export function timeFault({ send_at: text, timezone }: Timed, now: number): string | undefined {
  if (text === null)
    return timezone === 'recipient'
      ? 'timezone recipient needs a sendAt without an offset, such as 2026-12-01T09:00.'
      : undefined;
  if (timezone === 'recipient' && readIsoTime(text)?.offsetMs !== undefined)
    return 'With timezone recipient, sendAt is a local time: leave out its offset.';
  const latest = parseIsoTime(text, timezone === 'recipient' ? lastZone : timezone);
  return latest !== undefined && latest < now - 60_000
    ? 'This time has passed. Give a later one, or none to send at once.'
    : undefined;
}
