// Computes how many mails the pace of a broadcast allows now. After an outage, the delayed mails do not leave in a burst. Pure.
import type { BroadcastRow } from '../broadcasts.ts';

type Paced = Pick<BroadcastRow, 'pace' | 'pace_from' | 'pace_used'>;

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The mails that may be accepted now, and the new state of the pace before they are counted. */
export interface PaceAllowance {
  readonly count: number;
  readonly from: number;
  readonly used: number;
}

/** The number of mails that may be accepted now. The first mail leaves at once, the others in equal intervals. */
export function paceAllows({ pace, pace_from: begun, pace_used: used }: Paced, now: number): PaceAllowance {
  if (pace === null) return { count: Number.POSITIVE_INFINITY, from: now, used: 0 };
  const from = begun ?? now;
  const interval = hourMs / pace.perHour;
  const count = Math.floor((now - from) / interval) + 1 - used;
  const maxCount = Math.max(1, Math.floor(minuteMs / interval));
  if (count <= maxCount) return { count: Math.max(0, count), from, used };
  // The broadcast is behind its pace, so the intervals begin again.
  return { count: maxCount, from: now - (maxCount - 1) * interval, used: 0 };
}

/** The time at which the pace allows the next mail, in milliseconds. */
export function paceNext({ pace, pace_from: begun, pace_used: used }: Paced, now: number): number {
  if (pace === null) return now;
  return Math.max(now + 1, Math.ceil((begun ?? now) + (used * hourMs) / pace.perHour));
}
