// Notifies workers of due jobs in a transaction of the embedding program, whose commit this process does not see. Called before the end of
// a joined call.
import { urgentLane } from '../contract/declaration/jobs.ts';
import type { TransactionScope } from '../storage/database.ts';
import type { RecordedEffects } from './inner-call-context.ts';

/** Whether one of the jobs is urgent, as the job signal and notifications say it. */
export const urgencyOf = (jobs: readonly { readonly lane: number }[]): 'urgent' | undefined =>
  jobs.some(({ lane }) => lane === urgentLane) ? 'urgent' : undefined;

/** Notifies other processes when the program commits, if a job is due. */
export async function notifyDueJobs(
  scope: TransactionScope,
  { recorded }: { readonly recorded: RecordedEffects },
): Promise<void> {
  const due = recorded.jobs.filter((job) => job.due);
  if (due.length > 0) await scope.notify('jobs', urgencyOf(due));
}
