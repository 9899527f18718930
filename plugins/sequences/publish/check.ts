// The checks of a definition: the requirements for every draft, and the additional requirements for a version.
import { coreErrors, type ErrorDetail, isPostriderError, type ReadContext } from '../../../core/index.ts';
import { checkGraph } from '../definition/graph-check.ts';
import { activitiesIn, namedReferences } from '../definition/references.ts';
import { type Definition, maxDefinitionBytes } from '../definition/schema.ts';
import { errors } from '../errors.ts';
import { activityFault, composedKinds, eventFault, pluginOf, resolveReferences } from './resolve-references.ts';

/** The faults of the contract for a run's variables. */
function contractFaults({ services }: ReadContext, { settings }: Definition): ErrorDetail[] {
  if (settings.variables === undefined) return [];
  try {
    services.templates.text({ body: '', variables: settings.variables });
    return [];
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    return [{ path: 'settings.variables', code: error.code, message: error.message }];
  }
}

/** Faults for event types that no sequence can listen to, with their paths. */
function eventFaults(ctx: ReadContext, definition: Definition): ErrorDetail[] {
  const { trigger, nodes } = definition;
  const uses = [
    { path: 'trigger.type', type: trigger.kind === 'event' ? trigger.type : undefined },
    ...nodes.map((node, index) => ({
      path: `nodes.${index}.type`,
      type: node.kind === 'wait_for_event' || node.kind === 'goal' ? node.type : undefined,
    })),
  ];
  if (namedReferences(definition).eventTypes.length === 0) return [];
  return uses.flatMap(({ path, type }) => {
    const message = type === undefined ? undefined : eventFault(ctx, type);
    return message === undefined ? [] : [{ path, code: 'event_unknown', message }];
  });
}

/** Faults for activity conditions whose event type is never recorded as an activity, such as an event of the service, with their paths. */
function activityFaults(ctx: ReadContext, definition: Definition): ErrorDetail[] {
  const indexes = new Map(definition.nodes.map(({ id }, index) => [id, index]));
  return activitiesIn(definition).flatMap(({ nodeId, activity: { did } }) => {
    const message = activityFault(ctx, did);
    const path = nodeId === null ? 'settings.exitWhen' : `nodes.${indexes.get(nodeId)}`;
    return message === undefined ? [] : [{ path, code: 'event_unknown', message }];
  });
}

/** Refuses kinds that no composed plugin supports, and definitions that are too large. @throws validation_failed */
export function checkDraft(ctx: ReadContext, definition: Definition): void {
  const { trigger, nodes } = definition;
  const kinds = composedKinds(ctx);
  const uses = [
    { path: 'trigger.kind', kind: trigger.kind },
    ...nodes.map(({ kind }, index) => ({ path: `nodes.${index}.kind`, kind })),
  ];
  const details: ErrorDetail[] = uses
    .filter(({ kind }) => !kinds.has(kind))
    .map(({ path, kind }) => ({
      path,
      code: 'not_composed',
      message: `${kind} needs the plugin ${pluginOf[kind] ?? kind}, and this service is composed without it. Use another kind.`,
    }));
  if (Buffer.byteLength(JSON.stringify(definition)) > maxDefinitionBytes)
    details.push({ path: 'nodes', code: 'too_large', message: 'A sequence has at most 256 KB as JSON.' });
  const faults = [
    ...details,
    ...eventFaults(ctx, definition),
    ...activityFaults(ctx, definition),
    ...contractFaults(ctx, definition),
  ];
  const [firstFault] = faults;
  if (firstFault !== undefined)
    throw coreErrors.validation_failed({ summary: `${firstFault.path}: ${firstFault.message}` }, { details: faults });
}

/**
 * Refuses a graph that cannot run.
 * @param together keys of sequences that are published at the same time (Default: none)
 * @throws sequence_invalid, with one detail per fault
 */
export async function checkVersion(
  ctx: ReadContext,
  key: string,
  definition: Definition,
  together: readonly string[] = [],
): Promise<void> {
  const readPaths = (body: string) => ctx.services.templates.text({ body }).paths;
  const resolved = await resolveReferences(ctx, definition);
  const references = { ...resolved, sequences: new Set([...resolved.sequences, ...together]) };
  const faults = checkGraph(definition, references, readPaths);
  const [first] = faults;
  if (first !== undefined)
    throw errors.sequence_invalid({ key, faults: faults.length, first: first.message }, { details: [...faults] });
}

/** The faults that prevent a definition from being published in this workspace, one detail per fault. Empty if there are none. */
export async function faultsOf(
  ctx: ReadContext,
  key: string,
  definition: Definition,
  together: readonly string[] = [],
): Promise<readonly ErrorDetail[]> {
  try {
    checkDraft(ctx, definition);
    await checkVersion(ctx, key, definition, together);
    return [];
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    return error.details ?? [];
  }
}
