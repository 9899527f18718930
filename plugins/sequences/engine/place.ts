// A run that is being worked on, in the transaction that holds its lock.
import type { ServiceContext, TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import { presentRun } from '../present.ts';
import type { RunSummary } from '../schema.ts';
import { type RunRow, runRows, type SequenceHead, type StepRow, sequenceHeads } from '../tables.ts';
import type { LoadedVersion } from '../versions.ts';

/** The run with what its steps need. */
export interface RunPlace {
  readonly surface: ServiceContext;
  readonly effects: TransactionContext;
  readonly run: RunRow;
  readonly sequence: SequenceHead;
  readonly version: LoadedVersion;
  /** Undefined once the person is erased. */
  readonly contact: KnownContact | undefined;
  /** The steps that were written in this transaction: they are stored at its end. */
  readonly written: StepRow[];
}

/** Locks an active run and loads what belongs to it; undefined where there is none, or it is over. */
export async function openRun(
  ctx: TransactionContext,
  runId: string,
  revision?: number,
): Promise<RunPlace | undefined> {
  const run = await runRows.lock(ctx.trx, runId);
  if (run === undefined || run.status !== 'active' || (revision !== undefined && run.revision !== revision))
    return undefined;
  return placeOf(ctx, run);
}

/** The place of a run that the caller has locked. */
export async function placeOf(ctx: TransactionContext, run: RunRow): Promise<RunPlace> {
  const { trx } = ctx;
  const sequence = await sequenceHeads.find(trx, run.sequence_id);
  if (sequence === undefined) throw new Error(`The sequence of the run ${run.id} is gone.`);
  const version = await ctx.services.sequenceVersions.load(trx, run.version_id);
  const [contact] = run.contact_id === null ? [] : await ctx.services.contacts.read(trx, [run.contact_id]);
  return { surface: ctx, effects: ctx, run, sequence, version, contact, written: [] };
}

/** Locks those of these runs of a contact that are active, by id, and loads what belongs to them. */
export async function openRuns(
  ctx: TransactionContext,
  runIds: readonly string[],
  contact: KnownContact,
): Promise<RunPlace[]> {
  const { trx } = ctx;
  const found = await runRows.findIn(trx, 'id', runIds, 'update');
  const runs = found.filter(({ status }) => status === 'active');
  const ids = [...new Set(runs.map((run) => run.sequence_id))];
  const sequences = new Map((await sequenceHeads.findIn(trx, 'id', ids)).map((head) => [head.id, head]));
  const places: RunPlace[] = [];
  for (const run of runs) {
    const sequence = sequences.get(run.sequence_id);
    if (sequence === undefined) throw new Error(`The sequence of the run ${run.id} is gone.`);
    const version = await ctx.services.sequenceVersions.load(trx, run.version_id);
    places.push({ surface: ctx, effects: ctx, run, sequence, version, contact, written: [] });
  }
  return places;
}

/** A run of the place as its events carry it. */
export const summaryOf = (
  { sequence, version, contact }: Pick<RunPlace, 'sequence' | 'version' | 'contact'>,
  run: RunRow,
): RunSummary => presentRun(run, { key: sequence.key, version: version.version }, contact);
