// Reads stored events of a contact or a message, because an event may come before the wait that it ends: between two nodes,
// or while a mail waits for quiet hours. The step reads them in its transaction, which has locked the run, so an event that is
// stored later finds the run waiting.
import { normaliseAddress, type ServiceContext, type TransactionContext } from '../../../core/index.ts';
import { readEventsAbout } from '../../../core/unstable.ts';
import type { KnownContact } from '../../contacts/index.ts';
import { cameAfter } from '../interpreter/activity.ts';
import type { FinalDecision, Moment, RunContext, RunEvent, RunState, StepDecision } from '../interpreter/types.ts';
import { stepsOf } from '../store.ts';
import type { OpenRun } from './open-run.ts';
import { contactNameOf, eventOf, eventOfTimeline } from './run-events.ts';

type Reading = Pick<TransactionContext, 'services' | 'trx'>;

/**
 * The custom events of a contact of one type, oldest first. They are stored for the period of
 * `retention.contact_events`.
 */
export async function* customEvents(
  { services, trx }: Reading,
  contactId: string,
  type: string,
  from: number,
): AsyncGenerator<RunEvent> {
  for await (const row of services.contacts.eventsFrom(trx, { contact_id: contactId, type, from }))
    yield eventOfTimeline(row);
}

/**
 * The events of the service about a contact. They are stored for the period of `retention.outbox`, if a version in use
 * listens to them.
 */
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
    const name = contactNameOf(ctx, envelope);
    // An event identifies its person by id, or by an address as the person wrote it.
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

/** The decision to take instead of this one, because a stored event moves the run; undefined if no stored event moves it. */
export async function earlierDecision(
  opened: OpenRun,
  state: RunState,
  runContext: RunContext,
  decision: StepDecision,
): Promise<FinalDecision | undefined> {
  const { interpreter } = opened.version;
  const awaitedEvents = interpreter.awaits(state, decision);
  if (awaitedEvents === undefined) return undefined;
  const { type, ofNode, from } = awaitedEvents;
  const events = ofNode === undefined ? contactEvents(opened, type, from) : messageEvents(opened, ofNode, type);
  for await (const event of events) {
    const eventDecision = interpreter.wake(awaitedEvents.state, runContext, event);
    if (eventDecision !== undefined) return eventDecision;
  }
  return undefined;
}

/** The decision of a goal that was reached before the run was stored, such as between the event that starts the run and the enrolment. */
export async function earlierGoalDecision(
  opened: OpenRun,
  state: RunState,
  runContext: RunContext,
): Promise<FinalDecision | undefined> {
  const { interpreter } = opened.version;
  for (const { type, from } of interpreter.awaitsAtBeginning(state)) {
    for await (const event of contactEvents(opened, type, from)) {
      const goalDecision = interpreter.wake(state, runContext, event);
      if (goalDecision !== undefined) return goalDecision;
    }
  }
  return undefined;
}
