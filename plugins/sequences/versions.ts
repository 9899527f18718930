// The versions of sequences in memory. A version never changes, so a process creates its interpreter once.
import { createHash } from 'node:crypto';
import { type ServiceContext, setInterests, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import type { Definition } from './definition/schema.ts';
import { createInterpreter } from './interpreter/index.ts';
import type { Interpreter, RunState } from './interpreter/types.ts';
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
  /** Whether a filter or text reads if the contact is subscribed. That needs a lookup that most versions can avoid. */
  readonly asksSubscription: boolean;
  /** Validates the variables and fills in defaults. @throws variables_invalid, with one detail per fault */
  accept(variables: Variables): Variables;
}

/** The variables of a run started by an event: the defaults of the contract, or no variables if the contract requires some. */
export function acceptDefaults({ accept }: Pick<LoadedVersion, 'accept'>): Variables {
  try {
    return accept({});
  } catch {
    return {};
  }
}

/** `ctx.services.sequenceVersions`. */
export interface SequenceVersions {
  /** Loads a version of the workspace. @throws Error if it does not exist: versions are never deleted while runs use them */
  load(handle: WorkspaceHandle, id: string): Promise<LoadedVersion>;
}

/** How many versions a process keeps in memory. */
const kept = 500;

export function createVersions({ services }: ServiceContext): SequenceVersions {
  const known = new Map<string, LoadedVersion>();
  const parse = (body: string) => services.templates.text({ body });
  const make = (row: VersionRow): LoadedVersion => {
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
      asksSubscription: JSON.stringify(definition).includes('contact.subscribed'),
      accept: (variables) => text?.accept('the sequence', variables) ?? variables,
    };
  };
  return {
    async load(handle, id) {
      let found = known.get(`${handle.workspaceId} ${id}`);
      if (found === undefined) {
        const row = await versionRows.find(handle, id);
        if (row === undefined) throw new Error(`There is no version ${id}.`);
        found = make(row);
        known.set(`${handle.workspaceId} ${id}`, found);
        const [oldest] = known.keys();
        if (known.size > kept && oldest !== undefined) known.delete(oldest);
      }
      return found;
    },
  };
}

/** The SHA-256 hash of a definition. */
export const hashOf = (definition: Definition): string =>
  createHash('sha256').update(JSON.stringify(definition)).digest('hex');

/** Returns the version with this number and content. Creates it if it does not exist. */
export async function keepVersion(
  effects: TransactionContext,
  of: Omit<VersionRow, 'id' | 'hash' | 'created_at'>,
): Promise<VersionRow> {
  const hash = hashOf(of.definition);
  const same = { sequence_id: of.sequence_id, version: of.version, hash };
  const found = await versionRows.findBy(effects.trx, same);
  if (found !== undefined && JSON.stringify(found.scopes) === JSON.stringify(of.scopes)) return found;
  return versionRows.insert(effects.trx, { ...of, id: effects.newId('sqv'), hash, created_at: effects.now });
}

/** The types of events that start or move runs of a version. */
export function typesHeard({ definition, interpreter }: Pick<LoadedVersion, 'definition' | 'interpreter'>): string[] {
  const { trigger, nodes } = definition;
  const types = new Set<string>();
  if (trigger.kind === 'event') types.add(trigger.type);
  if (trigger.kind === 'list_joined') for (const type of joining) types.add(type);
  if (trigger.kind === 'form_submitted') types.add('page.form_confirmed');
  const at = interpreter.begin(0, null);
  for (const { id: nodeId } of nodes) {
    const waiting: RunState = { ...at, nodeId, phase: 'waiting' };
    for (const { type } of interpreter.listensTo(waiting)) types.add(type);
  }
  return [...types];
}

/** The events with which a contact becomes a confirmed member of a list. */
export const joining = ['list_member.added', 'list_member.confirmed'] as const;

/** The value of `sequences.start_key` for a definition: what starts its runs. */
export function startKeyOf({ trigger }: Definition): string | null {
  if (trigger.kind === 'event') return `event:${trigger.type}`;
  if (trigger.kind === 'list_joined') return `list:${trigger.listId}`;
  return trigger.kind === 'form_submitted' ? `form:${trigger.pageId}` : null;
}

const holderOf = (versionId: string) => ({ consumer: consumerId, subject: versionId });

/** Registers the event types of a version on the given sides, so that its events reach it. */
export async function hear(handle: WorkspaceHandle, version: LoadedVersion, sides: readonly boolean[]): Promise<void> {
  const types = typesHeard(version);
  for (const sandbox of sides) await setInterests(handle.onSide(sandbox), holderOf(version.id), types);
}

/** Removes the event interests of the sequence's versions that are no longer in use, except for the version `except`. */
export async function hearNoMore(handle: WorkspaceHandle, sequenceId: string, except: string | null): Promise<void> {
  const ids = (await versionsOf(handle, sequenceId)).map(({ id }) => id).filter((id) => id !== except);
  const used = await versionsInUse(handle, sequenceId, ids);
  for (const id of ids)
    if (!used.has(id))
      for (const sandbox of [false, true]) await setInterests(handle.onSide(sandbox), holderOf(id), []);
}

declare module '../../core/contract/open.ts' {
  interface Services {
    sequenceVersions: SequenceVersions;
  }
}
