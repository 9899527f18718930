// Evaluates the activity conditions in the filters of a run, in the transaction of the step or event.
import type { TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import type { ActivityCondition } from '../definition/schema.ts';
import { countsFor, neededCountOf, windowStart } from '../interpreter/activity.ts';
import { zoneOf } from '../interpreter/paths.ts';
import type { RunContext, RunEvent, RunState } from '../interpreter/types.ts';
import type { LoadedVersion } from '../versions.ts';
import { eventOfTimeline } from './run-events.ts';

/** A run at a step, or at the arrival of an event. */
interface RunToCheck {
  readonly ctx: TransactionContext;
  readonly version: LoadedVersion;
  readonly contact: KnownContact;
  readonly state: RunState;
}

/** The maximum number of events that are compared with a `where`, newest first. */
const maxCompared = 2_000;

/** Whether the contact had as many of the events as the condition needs. */
async function isConditionMet(
  { ctx, version, contact, state }: RunToCheck,
  condition: ActivityCondition,
  runContext: RunContext,
  arriving: RunEvent | undefined,
): Promise<boolean> {
  const zone = zoneOf(runContext.contact, version.definition.settings.timezone);
  const windowBeginning = windowStart(condition, state, runContext.now);
  const values = { ...runContext, zone };
  const neededCount = neededCountOf(condition);
  // The arriving event is stored on the timeline only at the end of this transaction, so it is counted here.
  const isNew = arriving?.type === condition.did && arriving.metadata !== null;
  let count = isNew && countsFor(condition, arriving, state, values) ? 1 : 0;
  if (count >= neededCount) return true;
  const activity = await ctx.services.contacts.activity(ctx.trx, contact.id, condition.did);
  if (activity === undefined || count + activity.count < neededCount) return false;
  if (condition.where === undefined) {
    if (condition.since === undefined) return true;
    // The newest event decides these two cases without reading events. Otherwise the loop below counts them; it also
    // compares the ids of events in the same millisecond as the beginning of the run.
    if (activity.last_at < windowBeginning) return false;
    if (neededCount - count === 1 && activity.last_at > windowBeginning) return true;
  }
  let compared = 0;
  const range = { contact_id: contact.id, type: condition.did, from: windowBeginning };
  for await (const row of ctx.services.contacts.newestEvents(ctx.trx, range)) {
    const event = eventOfTimeline(row);
    compared += 1;
    if (condition.where !== undefined && compared > maxCompared) return false;
    if (event.id !== arriving?.id && countsFor(condition, event, state, values)) count += 1;
    if (count >= neededCount) return true;
  }
  return false;
}

/**
 * Reads the activity that the interpreter may ask for in this state.
 * @param arriving the event that is being delivered: only the conditions of goals are read (Default: a step, which reads all)
 */
export async function loadActivity(
  runToCheck: RunToCheck,
  runContext: RunContext,
  arriving?: RunEvent,
): Promise<RunContext['did']> {
  const { interpreter } = runToCheck.version;
  const conditions =
    arriving === undefined ? interpreter.activities(runToCheck.state) : interpreter.activitiesOfGoals(arriving.type);
  if (conditions.length === 0) return runContext.did;
  const results = new Map<ActivityCondition, boolean>();
  for (const condition of conditions)
    results.set(condition, await isConditionMet(runToCheck, condition, runContext, arriving));
  return (condition) => results.get(condition) ?? runContext.did(condition);
}
