// Stored events of a contact or a message: an event may come before the wait that it ends, between two nodes or while a mail waits for
// quiet hours. Read in the transaction of the step, which has locked the run: an event that is not found here finds the run waiting.
import { normaliseAddress, type ServiceContext, type TransactionContext } from '../../../core/index.ts';
import { readEventsAbout } from '../../../core/unstable.ts';
import type { KnownContact } from '../../contacts/index.ts';
import { cameAfter } from '../interpreter/activity.ts';
import type { FinalDecision, Moment, RunContext, RunEvent, RunState, StepDecision } from '../interpreter/types.ts';
import { stepsOf } from '../store.ts';
import type { OpenRun } from './open-run.ts';
import { eventOf, eventOfTimeline, namedBy } from './run-events.ts';

type Reading = Pick<TransactionContext, 'services' | 'trx'>;

/** The custom events of a contact of one type, oldest first. They are stored as long as `retention.contact_events` says. */
export async function* customEvents(
  { services, trx }: Reading,
  contactId: string,
  type: string,
  from: number,
): AsyncGenerator<RunEvent> {
  for await (const row of services.contacts.eventsFrom(trx, { contact_id: contactId, type, from }))
    yield eventOfTimeline(row);
}

/** The events of the service about a contact. They are stored as long as `retention.outbox` says, if a version in use listens to them. */
async function* serviceEvents(
  ctx: Reading & ServiceContext,
  { id, email }: KnownContact,
  type: string,
  from: number,
): AsyncGenerator<RunEvent> {
  for await (const envelope of readEventsAbout(ctx.trx, {
    subjects: email === null ? [id] : [id, email],
    type,
    from,
  })) {
    const name = namedBy(ctx, envelope);
    // An event names its person by id, or by an address as it was given.
    if (name === id || (name !== undefined && email !== null && normaliseAddress(name) === email))
      yield eventOf(envelope);
  }
}

/** The events of the message that a node of the run sent. Locks the send, so that any later report finds the run waiting. */
async function* messageEvents({ ctx, run }: OpenRun, ofNode: string, type: string): AsyncGenerator<RunEvent> {
  const steps = await stepsOf(ctx.trx, run.id);
  const sendId = steps.findLast(({ node_id: nodeId }) => nodeId === ofNode)?.output?.['sendId'];
  if (typeof sendId !== 'string') return;
  const send = await ctx.services.sendReports.readAndLock(ctx.trx, sendId);
  for (const item of send?.events ?? [])
    if (item.type === type)
      yield { id: item.id, type, at: Date.parse(item.ts), metadata: null, data: { ...send, event: item } };
}

/** The events of a type about the contact of a run, from a moment on. */
async function* contactEvents({ ctx, contact }: OpenRun, type: string, from: Moment): AsyncGenerator<RunEvent> {
  if (contact === undefined) throw new Error('A run without a contact has no events.');
  const stored = ctx.ports.events.has(type)
    ? serviceEvents(ctx, contact, type, from.at)
    : customEvents(ctx, contact.id, type, from.at);
  for await (const event of stored) if (cameAfter(event, from)) yield event;
}

/** The decision that an earlier event causes instead of this one; undefined if there is no such event. */
export async function earlierDecision(
  opened: OpenRun,
  state: RunState,
  runContext: RunContext,
  decision: StepDecision,
): Promise<FinalDecision | undefined> {
  const { interpreter } = opened.version;
  const awaited = interpreter.awaits(state, decision);
  if (awaited === undefined) return undefined;
  const { type, ofNode, from } = awaited;
  const events = ofNode === undefined ? contactEvents(opened, type, from) : messageEvents(opened, ofNode, type);
  for await (const event of events) {
    const woken = interpreter.wake(awaited.state, runContext, event);
    if (woken !== undefined) return woken;
  }
  return undefined;
}

/** Whether a goal was reached before the run was stored, such as between the event that starts it and its enrolment. */
export async function goalBefore(
  opened: OpenRun,
  state: RunState,
  runContext: RunContext,
): Promise<FinalDecision | undefined> {
  const { interpreter } = opened.version;
  for (const { type, from } of interpreter.awaitsAtBeginning(state)) {
    for await (const event of contactEvents(opened, type, from)) {
      const reached = interpreter.wake(state, runContext, event);
      if (reached !== undefined) return reached;
    }
  }
  return undefined;
}
