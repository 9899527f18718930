// Records the steps of a publication in the database. Each step commits before its request is made, and again with the network's
// response. Used by the jobs that publish.
import type { JobContext, TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import { isConvertedFileStep } from '../media/converted-files.ts';
import { type PublishSteps, type RecordedStep, SocialError } from '../port/index.ts';
import { type SocialStepRow, stepRows, targetRows } from '../tables.ts';
import { trustedReservationMs } from './times.ts';

/** The maximum number of steps of a target. A large upload has one step per piece. */
const maxSteps = 1_000;

/** The steps of a target, in the order of their first record. */
export async function listSteps(handle: WorkspaceHandle, targetId: string): Promise<SocialStepRow[]> {
  const rows = await stepRows.page(handle, { where: { target_id: targetId }, limit: maxSteps });
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const partOf = ({ result }: RecordedStep): string[] => (typeof result?.part === 'string' ? [result.part] : []);

/** The recorded steps of one target. */
export interface TargetSteps extends PublishSteps {
  /** Whether a step is open: its request may have taken effect, and the response is not known. */
  readonly isOpen: boolean;
  /** The time at which the earliest step began; undefined if there are no steps. */
  readonly begunAt: number | undefined;
  /** The latest time at which an open step was recorded before its request; undefined if no step is open. */
  readonly openSince: number | undefined;
  /** The ids of the visible parts. */
  readonly parts: readonly string[];
  /**
   * Makes sure that the job's lease is held at this moment. If the last renewal was some time ago, the lease is renewed: while this
   * process was suspended, another one may have taken the job over. @throws JobLeaseLost; SocialError `transient` if the database is
   * too slow
   */
  confirm(): Promise<void>;
  /**
   * Removes the open steps of this attempt, which certainly had no effect. An open step of an earlier attempt that this attempt has not
   * begun again stays, because its effect may still become visible.
   */
  dropOpen(ctx: TransactionContext): Promise<void>;
  /** Removes all steps. Call it only if no step left anything visible. */
  dropAll(ctx: TransactionContext): Promise<void>;
}

/** The maximum number of renewals of the lease in one confirmation: while the database is slow, a renewal may come too late. */
const maxRenewals = 3;

/** Measures time by two clocks, because the monotonic clock stops while the machine sleeps, and the wall clock may be adjusted. */
function stopwatch({ ports }: JobContext): () => number {
  const [steady, wall] = [performance.now(), ports.now()];
  return () => Math.max(performance.now() - steady, ports.now() - wall);
}

/** Loads the recorded steps of a target. */
export async function loadSteps(ctx: JobContext, targetId: string): Promise<TargetSteps> {
  const rows = new Map<string, SocialStepRow>();
  const storedRows = await ctx.read(({ trx }) => listSteps(trx, targetId));
  for (const row of storedRows) if (!isConvertedFileStep(row)) rows.set(row.name, row);
  const begunNames = new Set<string>();
  const openRows = (): SocialStepRow[] => [...rows.values()].filter(({ result }) => result === null);
  const dropRows = async ({ trx }: TransactionContext, dropped: readonly SocialStepRow[]): Promise<void> => {
    for (const { id, name } of dropped) {
      await stepRows.remove(trx, id);
      rows.delete(name);
    }
  };
  /** The time since the lease was last known to be held, in milliseconds. */
  let leaseAge = stopwatch(ctx);
  const renew = async (): Promise<void> => {
    const newLeaseAge = stopwatch(ctx);
    await ctx.checkpoint(async ({ trx, now }) => {
      for (const row of openRows())
        if (begunNames.has(row.name)) rows.set(row.name, await stepRows.change(trx, row, { at: now }));
    });
    leaseAge = newLeaseAge;
  };
  const confirm = async (): Promise<void> => {
    for (let tries = 0; tries < maxRenewals && leaseAge() >= trustedReservationMs; tries += 1) await renew();
    if (leaseAge() >= trustedReservationMs)
      throw new SocialError('transient', 'The database answers too slowly to publish safely.');
  };
  return {
    confirm,
    get done() {
      return [...rows.values()];
    },
    get isOpen() {
      return openRows().length > 0;
    },
    get begunAt() {
      const [first] = rows.values();
      return first?.at;
    },
    get openSince() {
      const times = openRows().map(({ at }) => at);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    get parts() {
      return [...rows.values()].flatMap(partOf);
    },
    find: (name) => rows.get(name),
    async before(name, note = {}) {
      const earlierRow = rows.get(name);
      const newLeaseAge = stopwatch(ctx);
      const row = await ctx.checkpoint(async ({ trx, newId, now }) => {
        await targetRows.update(trx, targetId, { probes: 0 });
        if (earlierRow !== undefined) return stepRows.change(trx, earlierRow, { note, result: null, at: now });
        return stepRows.insert(trx, { id: newId('sst'), target_id: targetId, name, note, result: null, at: now });
      });
      begunNames.add(name);
      rows.set(name, row);
      leaseAge = newLeaseAge;
      ctx.ports.phase('social.step_begun', `${targetId} ${name}`);
      await confirm();
    },
    async after(name, result) {
      const storedRow = rows.get(name);
      if (storedRow === undefined) throw new Error(`The step "${name}" was never begun.`);
      ctx.ports.phase('social.step_answered', `${targetId} ${name}`);
      rows.set(name, await ctx.checkpoint(({ trx }) => stepRows.change(trx, storedRow, { result })));
      ctx.ports.phase('social.step_ended', `${targetId} ${name}`);
    },
    dropOpen: (tx) =>
      dropRows(
        tx,
        openRows().filter(({ name }) => begunNames.has(name)),
      ),
    dropAll: (tx) => dropRows(tx, [...rows.values()]),
  };
}
