// Checks whether a declared schedule has slots. Called by the registry, for every schedule of the composed plugins.
import type { ScheduleDeclaration } from '../contract/declaration/jobs.ts';

/** The faults of a schedule, as sentences. */
export function scheduleFaults({ id, everyMs, offsetMs = 0 }: ScheduleDeclaration, pluginId: string): string[] {
  const name = `The schedule ${id} of ${pluginId}`;
  if (!Number.isSafeInteger(everyMs) || everyMs < 1)
    return [`${name}: everyMs must be a positive whole number, not ${everyMs}.`];
  if (!Number.isSafeInteger(offsetMs) || offsetMs < 0 || offsetMs >= everyMs)
    return [`${name}: offsetMs must be a whole number from 0 to less than everyMs, ${everyMs}, not ${offsetMs}.`];
  return [];
}
