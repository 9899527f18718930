// Enters contacts into a version of a sequence: applies the re-entry rules, creates the run and enqueues its first job. Called by the
// enrolling operations, by events, by the node `enroll` and by list enrolments, inside their transactions.
import type { TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import { countEntries, lockEntries } from '../entries.ts';
import type { RunEvent } from '../interpreter/types.ts';
import type { RunSummary } from '../schema.ts';
import { type EarlierRun, earlierRuns, latestRun } from '../store.ts';
import { runRows, type SequenceHead, type SequenceRunRow } from '../tables.ts';
import { recordCounts, wholeSequence } from '../tallies.ts';
import type { LoadedVersion } from '../versions.ts';
import { summaryOf } from './open-run.ts';
import { changeWaits, enqueueStep, needsOwnTransaction } from './store-decision.ts';

/** The maximum number of entries of a contact in a sequence in 24 hours. The limit ends loops between sequences. */
export const maxEntriesADay = 20;
/** The maximum number of active runs of a contact in a sequence with reentry `always`. */
export const maxActive = 5;
const dayMs = 86_400_000;

/** The version that the contacts enter, and the cause of their entry. */
export interface SequenceEntry {
  readonly sequence: SequenceHead;
  readonly version: LoadedVersion;
  /** Already checked against the contract. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The event with which each contact enters, by contact. (Default: none) */
  readonly events?: ReadonlyMap<string, RunEvent>;
  /** The list enrolment with which the contacts enter. (Default: none) */
  readonly enrollmentId?: string;
  /** The queue lane of the first step. (Default: normal) */
  readonly lane?: 'bulk';
}

/** The result for a contact: the new run, the run that prevents a new one, or `too often` if the contact entered too often. */
export type EntryResult =
  | { readonly kind: 'enrolled'; readonly run: SequenceRunRow }
  | { readonly kind: 'already'; readonly runId: string | undefined }
  | { readonly kind: 'too often' };

/** Applies the re-entry rule to a contact that has entered before. Undefined if the contact may enter. */
async function refusal(
  ctx: TransactionContext,
  { sequence, version }: SequenceEntry,
  contactId: string,
  earlier: readonly EarlierRun[],
): Promise<EntryResult | undefined> {
  const { reentry } = version.definition.settings;
  const active = earlier.filter(({ status }) => status === 'active');
  if (reentry === 'never')
    return { kind: 'already', runId: earlier[0]?.id ?? (await latestRun(ctx.trx, sequence.id, contactId)) };
  if (active.length >= (reentry === 'always' ? maxActive : 1)) return { kind: 'already', runId: active[0]?.id };
  const since = ctx.now - dayMs;
  const recentRuns = earlier.filter(({ started_at: at }) => at > since).length;
  return recentRuns >= maxEntriesADay ? { kind: 'too often' } : undefined;
}

function createRun(ctx: TransactionContext, entrance: SequenceEntry, contact: KnownContact): SequenceRunRow {
  const { sequence, version, variables, events, enrollmentId = null, lane } = entrance;
  const id = ctx.newId('run');
  const state = version.interpreter.begin(ctx.now, events?.get(contact.id) ?? null, id);
  const run: SequenceRunRow = {
    id,
    sandbox: ctx.sandbox,
    sequence_id: sequence.id,
    version_id: version.id,
    contact_id: contact.id,
    enrollment_id: enrollmentId,
    status: 'active',
    node_id: state.nodeId,
    due_at: state.dueAt,
    revision: 1,
    step_open: false,
    state,
    variables,
    started_at: ctx.now,
    completed_at: null,
    exit_reason: null,
    empty_at: null,
  };
  runRows.deferInsert(ctx.trx, run);
  changeWaits(ctx, version, run, null, state);
  const ownTransaction = needsOwnTransaction(version, state.nodeId);
  enqueueStep(ctx, run, {
    dueAt: state.dueAt ?? ctx.now,
    apart: ownTransaction,
    ...(lane === undefined ? {} : { lane }),
  });
  ctx.ports.phase('sequences.entering', run.id);
  return run;
}

/**
 * Enters contacts, each checked separately. They are processed in the order of their ids, so that two callers cannot deadlock.
 * Returns the result by contact.
 */
export async function enterSequence(
  ctx: TransactionContext,
  entrance: SequenceEntry,
  contacts: readonly KnownContact[],
): Promise<ReadonlyMap<string, EntryResult>> {
  const { sequence, version } = entrance;
  const sorted = [...contacts].sort((one, other) => (one.id < other.id ? -1 : 1));
  const ids = sorted.map(({ id }) => id);
  // The lock waits for events that are being stored, because they do not see these runs yet. The first waits of the
  // runs then find these events.
  await ctx.services.contacts.lock(ctx.trx, ids, 'share');
  const entries = await lockEntries(ctx.trx, sequence.id, ids, ctx.now);
  const earlierIds = ids.filter((id) => (entries.get(id) ?? 0) > 0);
  const earlierRunsByContact = new Map<string, EarlierRun[]>();
  for (const run of await earlierRuns(ctx.trx, sequence.id, earlierIds, ctx.now - dayMs))
    earlierRunsByContact.set(run.contact_id ?? '', [...(earlierRunsByContact.get(run.contact_id ?? '') ?? []), run]);

  const results = new Map<string, EntryResult>();
  const startedRuns: { data: RunSummary; subject: string }[] = [];
  for (const contact of sorted) {
    const times = entries.get(contact.id) ?? 0;
    const refusalResult =
      times === 0 ? undefined : await refusal(ctx, entrance, contact.id, earlierRunsByContact.get(contact.id) ?? []);
    if (refusalResult === undefined) {
      const run = createRun(ctx, entrance, contact);
      startedRuns.push({ data: summaryOf({ sequence, version, contact }, run), subject: contact.id });
      results.set(contact.id, { kind: 'enrolled', run });
    } else results.set(contact.id, refusalResult);
  }
  const startedCount = startedRuns.length;
  if (startedCount > 0) {
    await countEntries(
      ctx.trx,
      sequence.id,
      startedRuns.map(({ subject }) => subject),
      ctx.now,
    );
    await ctx.emitEach('sequence_run.enrolled', startedRuns);
    recordCounts(ctx, sequence.id, wholeSequence, { enrolled: startedCount, active: startedCount });
    const { nodeId } = version.interpreter.begin(ctx.now, null);
    recordCounts(ctx, sequence.id, nodeId, { reached: startedCount, waiting: startedCount });
  }
  return results;
}
