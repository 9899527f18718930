// The record of a publication in the database: each step commits before its request is made, and again with what the network
// answered. Used by the jobs that publish.
import type { Effects, JobContext, WorkspaceHandle } from '../../../core/index.ts';
import { namesMadeFile } from '../media/made-files.ts';
import type { PublishSteps, RecordedStep } from '../port/index.ts';
import type { StepRow } from '../tables.ts';
import { stepRows, targetRows } from '../tables.ts';

/** A target has as many steps as its largest upload has pieces, and not more than this. */
const mostSteps = 1_000;

/** The steps of a target, in the order of their first record. */
export async function listSteps(handle: WorkspaceHandle, targetId: string): Promise<StepRow[]> {
  const rows = await stepRows.page(handle, { where: { target_id: targetId }, limit: mostSteps });
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1));
}

const partOf = ({ result }: RecordedStep): string[] => (typeof result?.part === 'string' ? [result.part] : []);

/** Steps of one target. */
export interface TargetSteps extends PublishSteps {
  /** Whether a request may have taken effect without a known answer. */
  readonly isOpen: boolean;
  /** When the earliest step began; undefined where there is none. */
  readonly begunAt: number | undefined;
  /** When the latest open step began; undefined where none is open. */
  readonly openSince: number | undefined;
  /** Ids of what people can see. */
  readonly parts: readonly string[];
  /**
   * Forgets the open steps of this try: they certainly had no effect. One of an earlier try that was not begun again stays: the
   * network did not show its effect, which may still come.
   */
  dropOpen(effects: Effects): Promise<void>;
  /** Forgets all steps: nothing of them can be seen. */
  dropAll(effects: Effects): Promise<void>;
}

/** The steps that are recorded. */
export async function loadSteps(ctx: JobContext, targetId: string): Promise<TargetSteps> {
  const rows = new Map<string, StepRow>();
  const listed = await ctx.read((handle) => listSteps(handle, targetId));
  for (const row of listed) if (!namesMadeFile(row)) rows.set(row.name, row);
  const begun = new Set<string>();
  const open = (): StepRow[] => [...rows.values()].filter(({ result }) => result === null);
  const drop = async ({ trx }: Effects, dropped: readonly StepRow[]): Promise<void> => {
    for (const { id, name } of dropped) {
      await stepRows.remove(trx, id);
      rows.delete(name);
    }
  };
  return {
    get done() {
      return [...rows.values()];
    },
    get isOpen() {
      return open().length > 0;
    },
    get begunAt() {
      const [first] = rows.values();
      return first?.at;
    },
    get openSince() {
      const times = open().map(({ at }) => at);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    get parts() {
      return [...rows.values()].flatMap(partOf);
    },
    find: (name) => rows.get(name),
    async before(name, note = {}) {
      const known = rows.get(name);
      const row = await ctx.checkpoint(async ({ trx, newId, now }) => {
        await targetRows.update(trx, targetId, { probes: 0 });
        if (known !== undefined) return stepRows.change(trx, known, { note, result: null, at: now });
        return stepRows.insert(trx, { id: newId('sst'), target_id: targetId, name, note, result: null, at: now });
      });
      begun.add(name);
      rows.set(name, row);
      ctx.ports.phase('social.step_begun', `${targetId} ${name}`);
    },
    async after(name, result) {
      const known = rows.get(name);
      if (known === undefined) throw new Error(`The step "${name}" was never begun.`);
      ctx.ports.phase('social.step_answered', `${targetId} ${name}`);
      rows.set(name, await ctx.checkpoint(({ trx }) => stepRows.change(trx, known, { result })));
      ctx.ports.phase('social.step_ended', `${targetId} ${name}`);
    },
    dropOpen: (effects) =>
      drop(
        effects,
        open().filter(({ name }) => begun.has(name)),
      ),
    dropAll: (effects) => drop(effects, [...rows.values()]),
  };
}
