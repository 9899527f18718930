// The events of a simulation: converts them to the form that runs read, and finds out why an event does nothing. Pure.
import type { ErrorDetail, ServiceContext } from '../../../core/index.ts';
import { validationFailed } from '../../../core/unstable.ts';
import { conditionsOf } from '../definition/filter-schema.ts';
import type { Definition, Filter } from '../definition/schema.ts';
import { goalTypes } from '../interpreter/goals.ts';
import { aboutMessages } from '../interpreter/interpreter.ts';
import { readPath } from '../interpreter/paths.ts';
import type { RunContact, RunEvent } from '../interpreter/types.ts';
import { eventFault } from '../publish/references.ts';
import type { SimulateBody } from './schema.ts';
import type { SimulatedRun } from './simulate.ts';

type Given = SimulateBody['events'][number];
type Values = Readonly<Record<string, unknown>>;

const isService = ({ ports }: ServiceContext, type: string): boolean => ports.events.has(type);

/** The data of a service event. An event about a message names its run and node in its metadata; the caller only gives the node. */
function dataOf({ type, data, metadata = {} }: Given, runId: string): Values {
  if (!aboutMessages.test(type)) return data ?? metadata;
  const named = data === undefined ? metadata : data['metadata'];
  return { ...(data ?? metadata), metadata: { ...(typeof named === 'object' ? named : {}), runId } };
}

/** The fault if `data` is given for an event that has no data. */
function dataFault(ctx: ServiceContext, { type, data }: Given, index: number): ErrorDetail[] {
  if (data === undefined || isService(ctx, type)) return [];
  const why = eventFault(ctx, type) ?? `${type} is no event of the service, but one of your program: give metadata.`;
  return [{ path: `events.${index}.data`, code: 'not_allowed', message: why }];
}

/** Converts the events to the form that runs read, in the given order. @throws validation_failed */
export function eventsOf(
  ctx: ServiceContext,
  given: readonly Given[],
  runId: string,
  now: number,
): readonly RunEvent[] {
  const details = given.flatMap((event, index) => dataFault(ctx, event, index));
  if (details.length > 0) throw validationFailed(details);
  return given.map((event): RunEvent => {
    const { type, at = now, metadata = {} } = event;
    return isService(ctx, type)
      ? { id: null, type, at, metadata: null, data: dataOf(event, runId) }
      : { id: null, type, at, metadata, data: null };
  });
}

/** The state with which the run began. */
export interface Beginning {
  readonly definition: Definition;
  readonly contact: RunContact;
  readonly variables: Values;
  isMember(listId: string): boolean;
  readonly run: Pick<SimulatedRun, 'startedBy' | 'startedAt'>;
}

/** Why the trigger's filter is false for the event: the paths that it reads and that have no value. */
function filterReason(ctx: ServiceContext, event: RunEvent, filter: Filter | undefined, beginning: Beginning): string {
  const { contact, variables, isMember } = beginning;
  const known = { contact, variables, isMember, event, now: event.at, zone: 'UTC' };
  const conditions = filter === undefined ? [] : conditionsOf(filter);
  const missing = conditions
    .filter(({ op, value }) => op !== 'ne' && !(op === 'exists' && value === false))
    .map(({ path }) => path)
    .filter((path) => readPath(path, known) === undefined);
  const because = 'the filter of the trigger is not true for it';
  if (missing.length === 0) return because;
  const values = isService(ctx, event.type) ? 'event.data' : 'event.metadata';
  const ofEvent = missing.some((path) => path.startsWith('event.'))
    ? `, and the values of ${event.type} are ${values}`
    : '';
  return `${because}: there is no ${[...new Set(missing)].join(' and no ')}${ofEvent}`;
}

/** The types of events that nodes listen to. */
function heardTypes({ nodes }: Definition): ReadonlySet<string> {
  return new Set(
    nodes.flatMap((node) =>
      node.kind === 'wait_for_event' ? [node.type] : node.kind === 'goal' ? goalTypes(node) : [],
    ),
  );
}

const nobodyWaits = ' No node waits for it either.';

/** Returns one warning for each event that neither starts the run nor can move it. */
export function ignoredEvents(ctx: ServiceContext, events: readonly RunEvent[], beginning: Beginning): string[] {
  const { definition, run } = beginning;
  const { trigger } = definition;
  const heard = heardTypes(definition);
  const first = run.startedBy === null ? events.length : events.indexOf(run.startedBy);
  /** Until an event starts the run, events are tried by time. Events with the same time are tried in the given order. */
  const wasTried = ({ at }: RunEvent, index: number): boolean =>
    run.startedBy === null || at < run.startedAt || (at === run.startedAt && index < first);

  const reasonOf = (event: RunEvent, index: number): string | undefined => {
    const fault = eventFault(ctx, event.type);
    if (fault !== undefined) return `it is ignored. ${fault}`;
    if (trigger.kind === 'event' && trigger.type === event.type)
      return wasTried(event, index)
        ? `it starts no run, since ${filterReason(ctx, event, trigger.filter, beginning)}.`
        : undefined;
    const isHeard = heard.has(event.type);
    if (trigger.kind === 'event' && run.startedBy === null)
      return `it starts no run, since the trigger is the event ${trigger.type}.${isHeard ? '' : nobodyWaits}`;
    if (isHeard) return event.at < run.startedAt ? 'it is ignored, since it comes before the run begins.' : undefined;
    return trigger.kind === 'event'
      ? 'it is ignored, since no node waits for it.'
      : `it starts no run, since a simulation of the trigger ${trigger.kind} begins without an event.${nobodyWaits}`;
  };

  return events.flatMap((event, index) => {
    const reason = event === run.startedBy ? undefined : reasonOf(event, index);
    return reason === undefined ? [] : [`events.${index}, ${event.type}: ${reason}`];
  });
}
