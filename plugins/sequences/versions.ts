// The versions of sequences in memory. A version never changes, so a process creates its interpreter once.
import { createHash } from 'node:crypto';
import { type ServiceContext, setInterests, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import type { SegmentsService } from '../segments/index.ts';
import { segmentEventOf, segmentEvents, segmentOf } from './definition/references.ts';
import type { Definition } from './definition/schema.ts';
import { createInterpreter } from './interpreter/index.ts';
import type { Interpreter } from './interpreter/types.ts';
import { versionsInUse, versionsOf } from './store.ts';
import { type VersionRow, versionRows } from './tables.ts';

/** `EventConsumer.id`. */
export const consumerId = 'sequences';

type Variables = Readonly<Record<string, unknown>>;

/** A version that is prepared for steps. */
export interface LoadedVersion {
  readonly id: string;
  readonly sequenceId: string;
  /** 0 for a draft. */
  readonly version: number;
  readonly scopes: ReadonlySet<string>;
  readonly definition: Definition;
  readonly interpreter: Interpreter;
  /**
   * Whether a filter or text reads the contact's subscription. That needs a look-up, which most versions do not need.
   */
  readonly readsSubscription: boolean;
  /** Validates the variables and fills in defaults. @throws variables_invalid, with one detail per fault */
  accept(variables: Variables): Variables;
}

/** The variables of a run started by an event: the defaults of the contract, or no variables if the contract requires some. */
export function defaultVariables({ accept }: Pick<LoadedVersion, 'accept'>): Variables {
  try {
    return accept({});
  } catch {
    return {};
  }
}

/** `ctx.services.sequenceVersions`. */
export interface SequenceVersions {
  /**
   * Loads a version of the workspace. @throws Error if it does not exist, which cannot happen, because versions in use
   * are never deleted
   */
  load(handle: WorkspaceHandle, id: string): Promise<LoadedVersion>;
}

/** The maximum number of versions that a process keeps in memory. */
const maxKept = 500;

export function createVersions({ services }: ServiceContext): SequenceVersions {
  const versionsById = new Map<string, LoadedVersion>();
  const parse = (body: string) => services.templates.text({ body });
  const prepareVersion = (row: VersionRow): LoadedVersion => {
    const { definition } = row;
    const contract = definition.settings.variables;
    const text = contract === undefined ? undefined : services.templates.text({ body: '', variables: contract });
    return {
      id: row.id,
      sequenceId: row.sequence_id,
      version: row.version,
      scopes: new Set(row.scopes),
      definition,
      interpreter: createInterpreter(definition, parse),
      // Texts can name the field in several ways, such as contact["subscribed"].
      readsSubscription: JSON.stringify(definition).includes('subscribed'),
      accept: (variables) => text?.accept('the sequence', variables) ?? variables,
    };
  };
  return {
    async load(handle, id) {
      let cached = versionsById.get(`${handle.workspaceId} ${id}`);
      if (cached === undefined) {
        const row = await versionRows.find(handle, id);
        if (row === undefined) throw new Error(`There is no version ${id}.`);
        cached = prepareVersion(row);
        versionsById.set(`${handle.workspaceId} ${id}`, cached);
        const [oldest] = versionsById.keys();
        if (versionsById.size > maxKept && oldest !== undefined) versionsById.delete(oldest);
      }
      return cached;
    },
  };
}

/** The SHA-256 hash of a definition. */
export const hashOf = (definition: Definition): string =>
  createHash('sha256').update(JSON.stringify(definition)).digest('hex');

/** Returns the version with this number and content. Creates it if it does not exist. */
export async function findOrCreateVersion(
  ctx: TransactionContext,
  values: Omit<VersionRow, 'id' | 'hash' | 'created_at'>,
): Promise<VersionRow> {
  const hash = hashOf(values.definition);
  const identity = { sequence_id: values.sequence_id, version: values.version, hash };
  const existing = await versionRows.findBy(ctx.trx, identity);
  if (existing !== undefined && JSON.stringify(existing.scopes) === JSON.stringify(values.scopes)) return existing;
  return versionRows.insert(ctx.trx, { ...values, id: ctx.newId('sqv'), hash, created_at: ctx.now });
}

/** The event types to which the nodes of a version listen. */
function typesOfNodes({ definition, interpreter }: Pick<LoadedVersion, 'definition' | 'interpreter'>): string[] {
  const at = interpreter.begin(0, null);
  return definition.nodes.flatMap(({ id: nodeId }): readonly string[] => [
    ...interpreter.listensTo({ ...at, nodeId, phase: 'waiting' }),
  ]);
}

/** Whether a version needs the changes of every segment: its trigger or a node listens to the events of any segment. */
export const listensToAllSegments = (version: Pick<LoadedVersion, 'definition' | 'interpreter'>): boolean => {
  const { trigger } = version.definition;
  const eventTypes = [...typesOfNodes(version), ...(trigger.kind === 'event' ? [trigger.type] : [])];
  return eventTypes.some((type) => segmentEvents.some((one) => one === type));
};

/** The types of events that start or move runs of a version. */
export function eventTypesOf(version: Pick<LoadedVersion, 'definition' | 'interpreter'>): string[] {
  const { trigger } = version.definition;
  const types = new Set<string>();
  if (trigger.kind === 'event') types.add(trigger.type);
  if (trigger.kind === 'list_joined') for (const type of listJoinEvents) types.add(type);
  if (trigger.kind === 'form_submitted') types.add('page.form_confirmed');
  const segmentEvent = segmentEventOf(trigger);
  if (segmentEvent !== undefined) types.add(segmentEvent);
  for (const type of typesOfNodes(version)) types.add(type);
  return [...types];
}

/** The events with which a contact becomes a confirmed member of a list. */
export const listJoinEvents = ['list_member.added', 'list_member.confirmed'] as const;

/** The start key of a change of a segment: `segment.entered:<id>`. */
export const segmentStartKey = (type: string, segmentId: string): string => `${type}:${segmentId}`;

/** The value of `sequences.start_key` for a definition: the key of the events that start its runs. */
export function startKeyOf({ trigger }: Definition): string | null {
  if (trigger.kind === 'event') return `event:${trigger.type}`;
  if (trigger.kind === 'list_joined') return `list:${trigger.listId}`;
  const segmentId = segmentOf(trigger);
  if (segmentId !== undefined) return segmentStartKey(segmentEventOf(trigger) ?? '', segmentId);
  return trigger.kind === 'form_submitted' ? `form:${trigger.pageId}` : null;
}

const holderOf = (versionId: string) => ({ consumer: consumerId, subscriberId: versionId });

/** Registers the event types of a version on the given sides, so that its events reach it. */
export async function registerInterests(
  handle: WorkspaceHandle,
  version: LoadedVersion,
  sides: readonly boolean[],
): Promise<void> {
  const types = eventTypesOf(version);
  for (const sandbox of sides) await setInterests(handle.onSide(sandbox), holderOf(version.id), types);
}

/** Begins and ends the watching of segments, after the published sequences have changed. */
export async function updateWatches(ctx: TransactionContext): Promise<void> {
  const segments: SegmentsService | undefined = ctx.services.segments;
  await segments?.updateWatches(ctx);
}

/** Removes the event interests of the sequence's versions that are no longer in use, except for the version `except`. */
export async function removeInterests(
  handle: WorkspaceHandle,
  sequenceId: string,
  except: string | null,
): Promise<void> {
  const ids = (await versionsOf(handle, sequenceId)).map(({ id }) => id).filter((id) => id !== except);
  const usedIds = await versionsInUse(handle, sequenceId, ids);
  for (const id of ids)
    if (!usedIds.has(id))
      for (const sandbox of [false, true]) await setInterests(handle.onSide(sandbox), holderOf(id), []);
}

declare module '../../core/contract/open.ts' {
  interface Services {
    sequenceVersions: SequenceVersions;
  }
}
