// `ctx.services.sequenceEntrance`: lets other plugins start a published sequence by its key, inside their transactions.
import type { ServiceContext, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { enterSequence } from './engine/enter-sequence.ts';
import { sequenceHeads } from './tables.ts';
import { defaultVariables } from './versions.ts';

/** The event with which a contact enters. Texts and filters of the run read it as `event`. */
export interface EntranceEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The result for a contact. `closed`: the sequence is not published, or is paused. */
export type EntranceResult = 'enrolled' | 'already' | 'too often' | 'closed';

/** `ctx.services.sequenceEntrance`. */
export interface SequenceEntrance {
  /** Whether a sequence with this key exists and is not archived. */
  exists(handle: WorkspaceHandle, key: string): Promise<boolean>;
  /** Enters a contact into the published version, under its re-entry rules. */
  begin(ctx: TransactionContext, key: string, contactId: string, event: EntranceEvent): Promise<EntranceResult>;
}

/** Creates the service. It has no state. */
export const createSequenceEntrance = (context: ServiceContext): SequenceEntrance => ({
  async exists(handle, key) {
    const sequence = await sequenceHeads.findBy(handle, { key });
    return sequence !== undefined && sequence.status !== 'archived';
  },
  async begin(ctx, key, contactId, { id, type, data }) {
    const { services } = context;
    const sequence = await sequenceHeads.findBy(ctx.trx, { key });
    if (sequence?.status !== 'published' || sequence.version_id === null) return 'closed';
    const version = await services.sequenceVersions.load(ctx.trx, sequence.version_id);
    const contacts = await services.contacts.read(ctx.trx, [contactId]);
    const events = new Map([[contactId, { id, type, at: ctx.now, metadata: null, data }]]);
    const entrance = { sequence, version, variables: defaultVariables(version), events };
    return (await enterSequence(ctx, entrance, contacts)).get(contactId)?.kind ?? 'closed';
  },
});

declare module '../../core/contract/open.ts' {
  interface Services {
    sequenceEntrance: SequenceEntrance;
  }
}
