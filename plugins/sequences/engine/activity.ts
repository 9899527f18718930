// The activity of a contact that the filters of a run ask for, read in the transaction of the step or event.
import type { TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import type { ActivityCondition } from '../definition/schema.ts';
import { countsFor, neededFor, windowStart } from '../interpreter/activity.ts';
import { zoneOf } from '../interpreter/paths.ts';
import type { RunContext, RunEvent, RunState } from '../interpreter/types.ts';
import type { LoadedVersion } from '../versions.ts';
import { eventOfTimeline } from './run-events.ts';

/** A run at a step, or when an event arrives. */
interface AskingRun {
  readonly ctx: TransactionContext;
  readonly version: LoadedVersion;
  readonly contact: KnownContact;
  readonly state: RunState;
}

/** How many events are compared with a `where`, newest first. */
const maxCompared = 2_000;

/** Whether the contact had as many of the events as the condition needs. */
async function isMet(
  { ctx, version, contact, state }: AskingRun,
  condition: ActivityCondition,
  runContext: RunContext,
  arriving: RunEvent | undefined,
): Promise<boolean> {
  const zone = zoneOf(runContext.contact, version.definition.settings.timezone);
  const from = windowStart(condition, state, runContext.now);
  const values = { ...runContext, zone };
  const needed = neededFor(condition);
  // The event that is being delivered reaches the timeline at the end of this transaction.
  const isNew = arriving?.type === condition.did && arriving.metadata !== null;
  let count = isNew && countsFor(condition, arriving, state, values) ? 1 : 0;
  if (count >= needed) return true;
  const activity = await ctx.services.contacts.activity(ctx.trx, contact.id, condition.did);
  if (activity === undefined || count + activity.count < needed) return false;
  if (condition.where === undefined) {
    if (condition.since === undefined) return true;
    // Earlier events cannot count. The statements below only count events, or handle an event of the same millisecond as the
    // run's beginning.
    if (activity.last_at < from) return false;
    if (needed - count === 1 && activity.last_at > from) return true;
  }
  let compared = 0;
  const range = { contact_id: contact.id, type: condition.did, from };
  for await (const row of ctx.services.contacts.newestEvents(ctx.trx, range)) {
    const event = eventOfTimeline(row);
    compared += 1;
    if (condition.where !== undefined && compared > maxCompared) return false;
    if (event.id !== arriving?.id && countsFor(condition, event, state, values)) count += 1;
    if (count >= needed) return true;
  }
  return false;
}

/**
 * Reads the activity that the interpreter may ask for in this state.
 * @param arriving the event that is being delivered: only the conditions of goals are read (Default: a step, which reads all)
 */
export async function loadActivity(
  asking: AskingRun,
  runContext: RunContext,
  arriving?: RunEvent,
): Promise<RunContext['did']> {
  const { interpreter } = asking.version;
  const conditions =
    arriving === undefined ? interpreter.activities(asking.state) : interpreter.activitiesOfGoals(arriving.type);
  if (conditions.length === 0) return runContext.did;
  const met = new Map<ActivityCondition, boolean>();
  for (const condition of conditions) met.set(condition, await isMet(asking, condition, runContext, arriving));
  return (condition) => met.get(condition) ?? runContext.did(condition);
}
