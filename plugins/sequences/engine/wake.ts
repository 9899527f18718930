// Handles events: moves the contact's runs that wait for the event, and starts sequences. Custom events are handled in the transaction
// of the request, events of the service in a job after their commit. Each event is handled once, and found by contact and type.
import type { EventConsumer, EventEnvelope, TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import { segmentEvents } from '../definition/references.ts';
import type { RunContext, RunEvent } from '../interpreter/types.ts';
import { contactsWaitingFor, runsWaitingFor, sequencesStartedBy } from '../store.ts';
import { sequenceHeads } from '../tables.ts';
import { consumerId, defaultVariables, type LoadedVersion, listJoinEvents, segmentStartKey } from '../versions.ts';
import { loadActivity } from './activity.ts';
import { enterSequence } from './enter-sequence.ts';
import { openRuns } from './open-run.ts';
import { runContextOf } from './run-context.ts';
import { contactNameOf, eventOf, isObject, textOf } from './run-events.ts';
import { stepKind, storeDecision } from './store-decision.ts';

const isAddress = (name: string | undefined): name is string => name?.includes('@') === true;

/** An event that is about a contact. */
interface Arrival {
  readonly contact: KnownContact;
  readonly envelope: EventEnvelope;
  readonly event: RunEvent;
}

/** Finds the contacts of the events, by id or address, sorted by the contacts' ids. */
async function arrivalsOf(ctx: TransactionContext, envelopes: readonly EventEnvelope[]): Promise<Arrival[]> {
  const { contacts } = ctx.services;
  const names = envelopes.map((envelope) => contactNameOf(ctx, envelope));
  const ids = new Set(names.flatMap((name) => (name === undefined || isAddress(name) ? [] : [name])));
  const contactsById = new Map((await contacts.read(ctx.trx, [...ids])).map((contact) => [contact.id, contact]));
  const arrivals: Arrival[] = [];
  for (const [index, envelope] of envelopes.entries()) {
    const name = names[index];
    const contact = isAddress(name) ? await contacts.byEmail(ctx.trx, name) : contactsById.get(name ?? '');
    if (contact !== undefined) arrivals.push({ contact, envelope, event: eventOf(envelope) });
  }
  return arrivals.sort((one, other) => (one.contact.id < other.contact.id ? -1 : 1));
}

/**
 * Locks the contacts of service events. All code locks contacts before runs, so that no deadlock occurs. The contacts of custom
 * events are already locked.
 */
const lockContacts = ({ services, trx }: TransactionContext, arrivals: readonly Arrival[]): Promise<void> =>
  services.contacts.lock(
    trx,
    arrivals.flatMap(({ contact, envelope }) => (envelope.source === 'custom' ? [] : [contact.id])),
    'share',
  );

/** The maximum number of runs that one statement locks. */
const batch = 200;

/** Moves the runs of the contact that wait for the event. Returns their number. */
async function wakeRuns(ctx: TransactionContext, { contact, event }: Arrival): Promise<number> {
  const ids = await runsWaitingFor(ctx.trx, contact.id, event.type);
  const contextByVersion = new Map<string, RunContext>();
  let movedCount = 0;
  for (let from = 0; from < ids.length; from += batch) {
    for (const opened of await openRuns(ctx, ids.slice(from, from + batch), contact)) {
      const { run, sequence, version } = opened;
      // A run that does not wait for this event yet finds the stored event when it reaches its wait.
      if (run.state === null || sequence.status === 'archived') continue;
      if (!version.interpreter.isMovedBy(run.state, event.type)) continue;
      const runContext = contextByVersion.get(version.id) ?? (await runContextOf(ctx, version, contact, run));
      contextByVersion.set(version.id, runContext);
      const values = { ...runContext, runId: run.id, variables: run.variables ?? {} };
      const activityMet = await loadActivity({ ctx, version, contact, state: run.state }, values, event);
      const decision = version.interpreter.wake(run.state, { ...values, did: activityMet }, event);
      if (decision === undefined) continue;
      if (decision.kind === 'end' || decision.state.dueAt === null)
        await ctx.cancelJob({ key: run.id, kind: stepKind });
      storeDecision(opened, decision);
      ctx.ports.phase('sequences.woken', run.id);
      movedCount += 1;
    }
  }
  return movedCount;
}

/** The start keys that match an event: one for its type, and one for its list, page or segment. */
interface StartKeys {
  readonly byType: string;
  readonly bySubject?: string;
}

function startKeysOf({ type, data }: EventEnvelope): StartKeys {
  const byType = `event:${type}`;
  if (!isObject(data)) return { byType };
  const isListJoin = (listJoinEvents as readonly string[]).includes(type) && data['status'] === 'confirmed';
  const listId = textOf(data['listId']);
  if (isListJoin && listId !== undefined) return { byType, bySubject: `list:${listId}` };
  const segment = segmentEvents.some((one) => one === type) ? data['segment'] : undefined;
  const segmentId = isObject(segment) ? textOf(segment['segmentId']) : undefined;
  if (segmentId !== undefined) return { byType, bySubject: segmentStartKey(type, segmentId) };
  const page = type === 'page.form_confirmed' ? (textOf(data['pageId']) ?? textOf(data['id'])) : undefined;
  return page === undefined ? { byType } : { byType, bySubject: `form:${page}` };
}

/** Whether the event starts the version. The start key has already matched the trigger's list, page or segment. */
async function mayStart(
  ctx: TransactionContext,
  version: LoadedVersion,
  { contact, event }: Arrival,
): Promise<boolean> {
  const { trigger } = version.definition;
  if (trigger.kind === 'form_submitted')
    return trigger.formId === undefined || trigger.formId === event.data?.['formId'];
  if (trigger.kind !== 'event') return true;
  return version.interpreter.isStartedBy(await runContextOf(ctx, version, contact, null), event);
}

/** Starts runs of the contacts. Each contact occurs once. Returns the number of started runs. */
async function startRuns(
  ctx: TransactionContext,
  arrivals: readonly Arrival[],
  { byType, bySubject = byType }: StartKeys,
): Promise<number> {
  let startedCount = 0;
  for (const { id, version_id: versionId } of await sequencesStartedBy(ctx.trx, byType, bySubject)) {
    if (versionId === null) continue;
    const version = await ctx.services.sequenceVersions.load(ctx.trx, versionId);
    const toStart: Arrival[] = [];
    for (const arrival of arrivals) if (await mayStart(ctx, version, arrival)) toStart.push(arrival);
    const sequence = toStart.length === 0 ? undefined : await sequenceHeads.find(ctx.trx, id);
    if (sequence === undefined) continue;
    const events = new Map(toStart.map(({ contact, event }) => [contact.id, event]));
    const enrolment = { sequence, version, variables: defaultVariables(version), events };
    const contacts = toStart.map(({ contact }) => contact);
    for (const { kind } of (await enterSequence(ctx, enrolment, contacts)).values())
      if (kind === 'enrolled') startedCount += 1;
  }
  return startedCount;
}

/** Passes events to sequences. */
export const eventConsumer: EventConsumer = {
  id: consumerId,
  countName: 'sequences_woken',
  async dispatch(ctx, envelope) {
    const [arrival] = await arrivalsOf(ctx, [envelope]);
    if (arrival === undefined) return 0;
    await lockContacts(ctx, [arrival]);
    const movedCount = await wakeRuns(ctx, arrival);
    return movedCount + (await startRuns(ctx, [arrival], startKeysOf(envelope)));
  },
  async dispatchEach(ctx, envelopes) {
    const laterEvents: EventEnvelope[] = [];
    const handledIds = new Set<string>();
    const groups = new Map<string, Arrival[]>();
    const arrivals = await arrivalsOf(ctx, envelopes);
    for (const arrival of arrivals) {
      const { contact, envelope } = arrival;
      // The changes of a contact's first event are stored at the end of this transaction, so a second event of the same
      // contact waits for another transaction.
      if (handledIds.has(contact.id)) {
        laterEvents.push(envelope);
        continue;
      }
      handledIds.add(contact.id);
      const keys = JSON.stringify(startKeysOf(envelope));
      groups.set(keys, [...(groups.get(keys) ?? []), arrival]);
    }
    const [first] = arrivals;
    if (first === undefined) return laterEvents;
    await lockContacts(ctx, arrivals);
    const waitingIds = await contactsWaitingFor(ctx.trx, [...handledIds], first.event.type);
    for (const group of groups.values()) {
      for (const arrival of group) if (waitingIds.has(arrival.contact.id)) await wakeRuns(ctx, arrival);
      const [one] = group;
      if (one !== undefined) await startRuns(ctx, group, startKeysOf(one.envelope));
    }
    return laterEvents;
  },
};
