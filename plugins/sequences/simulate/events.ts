// The events of a simulation: converts them to the form that runs read, and finds the reason why an event has no
// effect. Pure.
import type { ErrorDetail, ServiceContext } from '../../../core/index.ts';
import { validationFailed } from '../../../core/unstable.ts';
import { conditionsOf } from '../definition/filter-schema.ts';
import { activitiesIn, segmentOf } from '../definition/references.ts';
import type { Definition, Filter } from '../definition/schema.ts';
import { goalTypes } from '../interpreter/goals.ts';
import { aboutMessages } from '../interpreter/interpreter.ts';
import { readPath } from '../interpreter/paths.ts';
import type { RunContact, RunEvent } from '../interpreter/types.ts';
import { eventFault } from '../publish/resolve-references.ts';
import type { SimulateBody } from './schema.ts';
import type { SimulatedRun } from './simulate.ts';

type EventInput = SimulateBody['events'][number];
type Values = Readonly<Record<string, unknown>>;

const isService = ({ ports }: ServiceContext, type: string): boolean => ports.events.has(type);

/** The data of a service event. An event about a message names its run and node in its metadata; the caller only gives the node. */
function dataOf({ type, data, metadata = {} }: EventInput, runId: string): Values {
  if (!aboutMessages.test(type)) return data ?? metadata;
  const sentMetadata = data === undefined ? metadata : data['metadata'];
  return { ...(data ?? metadata), metadata: { ...(typeof sentMetadata === 'object' ? sentMetadata : {}), runId } };
}

/** The fault if `data` is given for an event that has no data. */
function dataFault(ctx: ServiceContext, { type, data }: EventInput, index: number): ErrorDetail[] {
  if (data === undefined || isService(ctx, type)) return [];
  const reason =
    eventFault(ctx, type) ?? `${type} is not an event of the service, but one of your program: give metadata.`;
  return [{ path: `events.${index}.data`, code: 'not_allowed', message: reason }];
}

/** Converts the events to the form that runs read, in the given order. @throws validation_failed */
export function eventsOf(
  ctx: ServiceContext,
  input: readonly EventInput[],
  runId: string,
  now: number,
): readonly RunEvent[] {
  const details = input.flatMap((event, index) => dataFault(ctx, event, index));
  if (details.length > 0) throw validationFailed(details);
  return input.map((event, index): RunEvent => {
    const { type, at = now, metadata = {} } = event;
    const id = `simulated_${String(index).padStart(3, '0')}`;
    return isService(ctx, type)
      ? { id, type, at, metadata: null, data: dataOf(event, runId) }
      : { id, type, at, metadata, data: null };
  });
}

/** The state with which the run began. */
export interface SimulatedStart {
  readonly definition: Definition;
  readonly contact: RunContact;
  readonly variables: Values;
  isMember(listId: string): boolean;
  readonly run: Pick<SimulatedRun, 'startedBy' | 'startedAt'>;
}

/** The reason why the trigger's filter is false for the event: the paths that have no value. */
function filterReason(
  ctx: ServiceContext,
  event: RunEvent,
  filter: Filter | undefined,
  beginning: SimulatedStart,
): string {
  const { contact, variables, isMember } = beginning;
  const values = { contact, variables, isMember, did: () => false, event, now: event.at, zone: 'UTC' };
  const conditions = filter === undefined ? [] : conditionsOf(filter);
  const missingPaths = conditions
    .filter(({ op, value }) => op !== 'ne' && !(op === 'exists' && value === false))
    .map(({ path }) => path)
    .filter((path) => readPath(path, values) === undefined);
  const cause = 'the filter of the trigger is not true for it';
  if (missingPaths.length === 0) return cause;
  const valuesPath = isService(ctx, event.type) ? 'event.data' : 'event.metadata';
  const isOfEvent = missingPaths.some((path) => path.startsWith('event.'))
    ? `, and the values of ${event.type} are ${valuesPath}`
    : '';
  return `${cause}: there is no ${[...new Set(missingPaths)].join(' and no ')}${isOfEvent}`;
}

/** The types of events that nodes listen to. */
function awaitedTypes({ nodes }: Definition): ReadonlySet<string> {
  return new Set(
    nodes.flatMap((node) =>
      node.kind === 'wait_for_event' ? [node.type] : node.kind === 'goal' ? goalTypes(node) : [],
    ),
  );
}

const nobodyWaits = ' No node waits for it either.';

/** Returns one warning for each event that neither starts the run nor can move it. */
export function ignoredEvents(ctx: ServiceContext, events: readonly RunEvent[], beginning: SimulatedStart): string[] {
  const { definition, run } = beginning;
  const { trigger } = definition;
  const activities = activitiesIn(definition).map(({ activity }) => activity);
  const eventTypes = new Set([...awaitedTypes(definition), ...activities.map(({ did }) => did)]);
  const startIndex = run.startedBy === null ? events.length : events.indexOf(run.startedBy);
  /**
   * Whether the simulation tried to start the run with this event. It tries the events in the order of their times, and events of the same time
   * in the order of the caller, until one starts the run.
   */
  const wasTried = ({ at }: RunEvent, index: number): boolean =>
    run.startedBy === null || at < run.startedAt || (at === run.startedAt && index < startIndex);

  const reasonOf = (event: RunEvent, index: number): string | undefined => {
    const fault = eventFault(ctx, event.type);
    if (fault !== undefined) return `it is ignored. ${fault}`;
    if (trigger.kind === 'event' && trigger.type === event.type)
      return wasTried(event, index)
        ? `it starts no run, since ${filterReason(ctx, event, trigger.filter, beginning)}.`
        : undefined;
    const isAwaited = eventTypes.has(event.type);
    if (trigger.kind === 'event' && run.startedBy === null)
      return `it starts no run, since the trigger is the event ${trigger.type}.${isAwaited ? '' : nobodyWaits}`;
    const countsBeforeStart = activities.some(({ did, since }) => did === event.type && since !== 'run');
    if (isAwaited && (countsBeforeStart || event.at >= run.startedAt)) return undefined;
    if (isAwaited) return 'it is ignored, since it comes before the run begins.';
    return trigger.kind === 'event'
      ? 'it is ignored, since no node waits for it.'
      : segmentOf(trigger) === undefined
        ? `it starts no run, since a simulation of the trigger ${trigger.kind} begins without an event.${nobodyWaits}`
        : `it starts no run, since a simulation of the trigger ${trigger.kind} begins with the change of the segment.${nobodyWaits}`;
  };

  return events.flatMap((event, index) => {
    const reason = event === run.startedBy ? undefined : reasonOf(event, index);
    return reason === undefined ? [] : [`events.${index}, ${event.type}: ${reason}`];
  });
}
