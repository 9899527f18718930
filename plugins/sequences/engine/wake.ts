// Handles events: moves the contact's runs that wait for the event, and starts sequences. Custom events are handled in the transaction
// of the request, events of the service in a job after their commit. Each event is handled once, and found by contact and type.
import type { EventConsumer, EventEnvelope, ServiceContext, TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import type { RunContext, RunEvent } from '../interpreter/types.ts';
import { contactsWaitingFor, runsWaitingFor, sequencesStartedBy } from '../store.ts';
import { sequenceHeads } from '../tables.ts';
import { acceptDefaults, consumerId, joining, type LoadedVersion } from '../versions.ts';
import { enter } from './enter.ts';
import { openRuns } from './open-run.ts';
import { runContextOf } from './run-context.ts';
import { settle, stepKind } from './settle.ts';

type Data = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The contact that an event is about, by id or email address. */
function namedBy({ ports }: ServiceContext, { type, source, data }: EventEnvelope): string | undefined {
  if (source === 'custom')
    return isObject(data) && isObject(data['contact']) ? textOf(data['contact']['id']) : undefined;
  return ports.events.get(type)?.person?.(data) ?? undefined;
}

const isAddress = (name: string | undefined): name is string => name?.includes('@') === true;

/** An event that is about a contact. */
interface Arrival {
  readonly contact: KnownContact;
  readonly envelope: EventEnvelope;
  readonly event: RunEvent;
}

/** Finds the contacts that the events name by id or address. Sorted by the ids of the contacts. */
async function arrivalsOf(ctx: TransactionContext, envelopes: readonly EventEnvelope[]): Promise<Arrival[]> {
  const { contacts } = ctx.services;
  const names = envelopes.map((envelope) => namedBy(ctx, envelope));
  const ids = new Set(names.flatMap((name) => (name === undefined || isAddress(name) ? [] : [name])));
  const known = new Map((await contacts.read(ctx.trx, [...ids])).map((contact) => [contact.id, contact]));
  const found: Arrival[] = [];
  for (const [index, envelope] of envelopes.entries()) {
    const name = names[index];
    const contact = isAddress(name) ? await contacts.byEmail(ctx.trx, name) : known.get(name ?? '');
    if (contact !== undefined) found.push({ contact, envelope, event: eventOf(envelope) });
  }
  return found.sort((one, other) => (one.contact.id < other.contact.id ? -1 : 1));
}

function eventOf({ id, type, timestamp, source, data }: EventEnvelope): RunEvent {
  const fields = isObject(data) ? data : {};
  const metadata = isObject(fields['metadata']) ? fields['metadata'] : {};
  const isCustom = source === 'custom';
  const contents = isCustom ? { metadata, data: null } : { metadata: null, data: fields };
  return { id, type, at: Date.parse(timestamp), ...contents };
}

/** How many runs are locked in one statement. */
const batch = 200;

/** Moves the runs of the contact that wait for the event. Returns how many it moved. */
async function wakeRuns(ctx: TransactionContext, { contact, event }: Arrival): Promise<number> {
  const ids = await runsWaitingFor(ctx.trx, contact.id, event.type);
  const known = new Map<string, RunContext>();
  let woken = 0;
  for (let from = 0; from < ids.length; from += batch) {
    for (const opened of await openRuns(ctx, ids.slice(from, from + batch), contact)) {
      const { run, sequence, version } = opened;
      if (run.state === null || sequence.status === 'archived') continue;
      const runContext = known.get(version.id) ?? (await runContextOf(ctx, version, contact, run));
      known.set(version.id, runContext);
      const own = { ...runContext, runId: run.id, variables: run.variables ?? {} };
      const decision = version.interpreter.wake(run.state, own, event);
      if (decision === undefined) continue;
      if (decision.kind === 'end' || decision.state.dueAt === null)
        await ctx.cancelJob({ key: run.id, kind: stepKind });
      settle(opened, decision);
      ctx.ports.phase('sequences.woken', run.id);
      woken += 1;
    }
  }
  return woken;
}

/** The start keys that match the event: its own type, and the list or page that it is about. */
function startKeysOf({ type, data }: EventEnvelope): readonly [string, string] {
  const own = `event:${type}`;
  if (!isObject(data)) return [own, own];
  const isJoining = (joining as readonly string[]).includes(type) && data['status'] === 'confirmed';
  const list = textOf(data['listId']);
  if (isJoining && list !== undefined) return [own, `list:${list}`];
  const page = type === 'page.form_confirmed' ? (textOf(data['pageId']) ?? textOf(data['id'])) : undefined;
  return [own, page === undefined ? own : `form:${page}`];
}

/** Whether the event starts the version. The start key has already matched the trigger's list or page. */
async function mayStart(
  ctx: TransactionContext,
  version: LoadedVersion,
  { contact, event }: Arrival,
): Promise<boolean> {
  const { trigger } = version.definition;
  if (trigger.kind === 'form_submitted')
    return trigger.formId === undefined || trigger.formId === event.data?.['formId'];
  if (trigger.kind !== 'event') return true;
  return version.interpreter.startsWith(await runContextOf(ctx, version, contact, null), event);
}

/** Starts runs of the contacts. Each contact occurs once. Returns how many runs it started. */
async function startRuns(
  ctx: TransactionContext,
  arrivals: readonly Arrival[],
  [own, other]: readonly [string, string],
): Promise<number> {
  let started = 0;
  for (const { id, version_id: versionId } of await sequencesStartedBy(ctx.trx, own, other)) {
    if (versionId === null) continue;
    const version = await ctx.services.sequenceVersions.load(ctx.trx, versionId);
    const starting: Arrival[] = [];
    for (const one of arrivals) if (await mayStart(ctx, version, one)) starting.push(one);
    const sequence = starting.length === 0 ? undefined : await sequenceHeads.find(ctx.trx, id);
    if (sequence === undefined) continue;
    const events = new Map(starting.map(({ contact, event }) => [contact.id, event]));
    const entrance = { sequence, version, variables: acceptDefaults(version), events };
    const contacts = starting.map(({ contact }) => contact);
    for (const { kind } of (await enter(ctx, entrance, contacts)).values()) if (kind === 'enrolled') started += 1;
  }
  return started;
}

/** Passes events to sequences. */
export const eventConsumer: EventConsumer = {
  id: consumerId,
  figure: 'sequences_woken',
  async dispatch(effects, envelope) {
    const [arrival] = await arrivalsOf(effects, [envelope]);
    if (arrival === undefined) return 0;
    const woken = await wakeRuns(effects, arrival);
    return woken + (await startRuns(effects, [arrival], startKeysOf(envelope)));
  },
  async dispatchEach(effects, envelopes) {
    const left: EventEnvelope[] = [];
    const known = new Set<string>();
    const groups = new Map<string, Arrival[]>();
    const arrivals = await arrivalsOf(effects, envelopes);
    for (const arrival of arrivals) {
      const { contact, envelope } = arrival;
      // Changes for a contact's first event are stored at the end of this transaction. A second event of it needs a later one.
      if (known.has(contact.id)) {
        left.push(envelope);
        continue;
      }
      known.add(contact.id);
      const keys = startKeysOf(envelope).join(' ');
      groups.set(keys, [...(groups.get(keys) ?? []), arrival]);
    }
    const [first] = arrivals;
    if (first === undefined) return left;
    const waiting = await contactsWaitingFor(effects.trx, [...known], first.event.type);
    for (const group of groups.values()) {
      for (const arrival of group) if (waiting.has(arrival.contact.id)) await wakeRuns(effects, arrival);
      const [one] = group;
      if (one !== undefined) await startRuns(effects, group, startKeysOf(one.envelope));
    }
    return left;
  },
};
