// Writes a lead magnet: its outline, then one chapter after the other. Each is stored before the next begins. A retry
// after a crash continues after the stored steps; a step that was composed but not stored is composed again.
import { defineJob, isPostriderError, type JobContext, z } from '../../../core/index.ts';
import { lookFor } from '../content.ts';
import { type LeadMagnetRow, leadMagnetRows } from '../tables.ts';
import { composeChapter, composeOutline, type Setting } from './compose.ts';
import { failBuild, landBuild, lockBuild } from './end.ts';
import { buildKind, endBuildKind } from './kinds.ts';
import { buildMs } from './start.ts';
import type { BuildState } from './state.ts';

const order = z.object({ leadMagnetId: z.string(), buildId: z.string() });
type Order = z.output<typeof order>;

const tooLate = 'The text took longer than 30 minutes and was ended. Compose the lead magnet again.';
const broken =
  'The build failed for a reason of the service itself, which is in its log. Compose the lead magnet again.';

/** The lead magnet and its build as they are stored; undefined if the build has ended. */
async function currentBuild(ctx: JobContext, { leadMagnetId, buildId }: Order) {
  const row = await ctx.read(({ trx }) => leadMagnetRows.find(trx, leadMagnetId));
  return row?.build?.id === buildId ? { row, build: row.build } : undefined;
}

async function settingOf(
  ctx: JobContext,
  { title, format, brand_id }: LeadMagnetRow,
  build: BuildState,
): Promise<Setting> {
  const brand = await ctx.read((ctx) => lookFor(ctx, brand_id));
  return { title, format, brief: build.brief, tone: build.tone, brand };
}

/** Stores a step. Returns false if the build has ended meanwhile. */
const store = (ctx: JobContext, { leadMagnetId, buildId }: Order, made: Partial<BuildState>): Promise<boolean> =>
  ctx.checkpoint(async (effects) => {
    const row = await lockBuild(effects, leadMagnetId, buildId);
    if (row?.build == null) return false;
    const build = { ...row.build, ...made };
    const progress = {
      phase: 'chapters' as const,
      done: 1 + build.written.length,
      total: 1 + (build.plan?.length ?? 0),
    };
    await leadMagnetRows.change(effects.trx, row, { build, progress, updated_at: effects.now });
    return true;
  });

/** Runs the next missing step. Returns false if the build has ended meanwhile. */
async function step(ctx: JobContext, given: Order, setting: Setting, { plan, written }: BuildState): Promise<boolean> {
  if (plan === null) {
    const made = await composeOutline(ctx, setting);
    ctx.ports.phase('lead_magnets.outline_composed', given.leadMagnetId);
    return store(ctx, given, { plan: made });
  }
  const chapter = await composeChapter(ctx, setting, plan, written.length);
  ctx.ports.phase('lead_magnets.chapter_composed', given.leadMagnetId);
  return store(ctx, given, { written: [...written, chapter] });
}

/** Runs the missing steps. */
async function build(ctx: JobContext, given: Order): Promise<void> {
  let setting: Setting | undefined;
  for (;;) {
    ctx.signal.throwIfAborted();
    const current = await currentBuild(ctx, given);
    if (current === undefined) return ctx.complete();
    const { row, build: state } = current;
    if (ctx.ports.now() > state.until) return fail(ctx, given, tooLate);
    const { plan, written } = state;
    if (plan !== null && written.length === plan.length)
      return ctx.complete(async (effects) => {
        const locked = await lockBuild(effects, given.leadMagnetId, given.buildId);
        if (locked !== undefined) await landBuild(effects, locked, written);
      });
    setting ??= await settingOf(ctx, row, state);
    if (!(await step(ctx, given, setting, state))) return ctx.complete();
  }
}

const fail = (ctx: JobContext, { leadMagnetId, buildId }: Order, reason: string): Promise<void> => {
  ctx.tryFailed();
  return ctx.complete(async (effects) => {
    const row = await lockBuild(effects, leadMagnetId, buildId);
    if (row !== undefined) await failBuild(effects, row, reason);
  });
};

export const buildJob = defineJob({
  kind: buildKind,
  payload: order,
  lane: 'normal',
  retryDelaysMs: [10_000, 60_000, 300_000],
  timeoutMs: buildMs,
  async handler(ctx, given) {
    try {
      await build(ctx, given);
    } catch (error) {
      // The composer was asked several times already, so another try would give the same result.
      if (!isPostriderError(error)) throw error;
      await fail(ctx, given, error.message);
    }
  },
  async exhausted({ enqueue }, given) {
    // The job that ends late builds ends this build now.
    enqueue({ kind: endBuildKind, key: given.leadMagnetId, payload: { ...given, reason: broken } });
  },
  afterExhausted:
    'The lead magnet shows its build as failed. Compose it again with POST /v1/lead-magnets/{id}/compose.',
});

/** Ends a build that took too long or failed permanently. */
export const endBuildJob = defineJob({
  kind: endBuildKind,
  payload: order.extend({ reason: z.string().default(tooLate) }),
  handler: (ctx, { reason, ...given }) => fail(ctx, given, reason),
});
