// A run that is being processed, in the transaction that holds its lock.
import type { TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import { presentRun } from '../present.ts';
import type { RunSummary } from '../schema.ts';
import { runRows, type SequenceHead, type SequenceRunRow, type SequenceStepRow, sequenceHeads } from '../tables.ts';
import type { LoadedVersion } from '../versions.ts';

/** A locked run with everything that its steps need. */
export interface OpenRun {
  readonly ctx: TransactionContext;
  readonly run: SequenceRunRow;
  readonly sequence: SequenceHead;
  readonly version: LoadedVersion;
  /** Undefined if the contact was erased. */
  readonly contact: KnownContact | undefined;
  /** The steps that this transaction has written. They are stored at its end. */
  readonly written: SequenceStepRow[];
}

/** Locks an active run and loads its rows. Undefined if the run does not exist or has ended. */
export async function openRun(ctx: TransactionContext, runId: string, revision?: number): Promise<OpenRun | undefined> {
  const run = await runRows.lock(ctx.trx, runId);
  if (run === undefined || run.status !== 'active' || (revision !== undefined && run.revision !== revision))
    return undefined;
  return openLocked(ctx, run);
}

/** Loads the rows of a run that the caller has locked. */
export async function openLocked(ctx: TransactionContext, run: SequenceRunRow): Promise<OpenRun> {
  const { trx } = ctx;
  const sequence = await sequenceHeads.find(trx, run.sequence_id);
  if (sequence === undefined) throw new Error(`The sequence of the run ${run.id} is gone.`);
  const version = await ctx.services.sequenceVersions.load(trx, run.version_id);
  const [contact] = run.contact_id === null ? [] : await ctx.services.contacts.read(trx, [run.contact_id]);
  return { ctx, run, sequence, version, contact, written: [] };
}

/** Locks the active runs among these runs of a contact, in the order of ids, and loads their rows. */
export async function openRuns(
  ctx: TransactionContext,
  runIds: readonly string[],
  contact: KnownContact,
): Promise<OpenRun[]> {
  const { trx } = ctx;
  const lockedRuns = await runRows.findIn(trx, 'id', runIds, 'update');
  const runs = lockedRuns.filter(({ status }) => status === 'active');
  const ids = [...new Set(runs.map((run) => run.sequence_id))];
  const sequences = new Map((await sequenceHeads.findIn(trx, 'id', ids)).map((head) => [head.id, head]));
  const opened: OpenRun[] = [];
  for (const run of runs) {
    const sequence = sequences.get(run.sequence_id);
    if (sequence === undefined) throw new Error(`The sequence of the run ${run.id} is gone.`);
    const version = await ctx.services.sequenceVersions.load(trx, run.version_id);
    opened.push({ ctx, run, sequence, version, contact, written: [] });
  }
  return opened;
}

/** A run as its events contain it. */
export const summaryOf = (
  { sequence, version, contact }: Pick<OpenRun, 'sequence' | 'version' | 'contact'>,
  run: SequenceRunRow,
): RunSummary => presentRun(run, { key: sequence.key, version: version.version }, contact);
