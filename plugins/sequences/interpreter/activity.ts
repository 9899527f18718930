// Activity conditions: the beginning of their period, and whether an event counts. The engine reads the events from the
// database, the simulator from its list. Pure.
import { timeBefore } from '../../../core/unstable.ts';
import type { ActivityCondition } from '../definition/schema.ts';
import { parseDuration } from '../definition/time-schemas.ts';
import { isTrue } from './filter.ts';
import type { RunValues } from './paths.ts';
import type { Moment, RunEvent, RunState } from './types.ts';

/** The beginning of a run. */
export type RunBeginning = Pick<RunState, 'begunAt' | 'begunBy'>;

/** The time from which events count for the condition; 0 if all events count. A duration is counted back from now, as in segments. */
export function windowStart({ since }: ActivityCondition, begun: RunBeginning, now: number): number {
  if (since === undefined) return 0;
  if (since === 'run') return begun.begunAt;
  const parts = parseDuration(since);
  if (parts === undefined) throw new Error(`${since} is not a duration.`);
  return timeBefore(parts, now);
}

const orderOf = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** Whether an event came after a moment. Ids sort by time. Ids of one process sort correctly even within a millisecond. */
export const cameAfter = ({ at, id }: Pick<RunEvent, 'at' | 'id'>, moment: Moment): boolean =>
  at === moment.at && id !== null && moment.id !== null ? orderOf(id) > orderOf(moment.id) : at >= moment.at;

/** Whether an event counts for the condition. The caller has checked its type and time. */
export const countsFor = (
  { since, where }: ActivityCondition,
  event: RunEvent,
  { begunAt, begunBy }: RunBeginning,
  values: Omit<RunValues, 'event'>,
): boolean =>
  // With `since: run`, the event that started the run does not count.
  (since !== 'run' || cameAfter(event, { at: begunAt, id: begunBy })) && isTrue(where, { ...values, event });

/** The number of matching events that the condition needs. (Default: 1) */
export const neededCountOf = ({ atLeast = 1 }: ActivityCondition): number => atLeast;
