// Writes a lead magnet: its outline, then one chapter after the other. Each is stored before the next begins. A retry
// after a crash continues after the stored steps; a step that was composed but not stored is composed again.
import { defineJob, isPostriderError, type JobContext, z } from '../../../core/index.ts';
import { bookStyleFor } from '../content.ts';
import { type LeadMagnetRow, leadMagnetRows } from '../tables.ts';
import type { LeadMagnetBuildState } from './build-state.ts';
import { composeChapter, composeOutline, type LeadMagnetComposeInput } from './compose.ts';
import { completeBuild, failBuild, lockBuild } from './end-build.ts';
import { buildKind, endBuildKind } from './kinds.ts';
import { buildMs } from './start-build.ts';

const buildPayload = z.object({ leadMagnetId: z.string(), buildId: z.string() });
type BuildPayload = z.output<typeof buildPayload>;

const timeoutMessage = 'Writing took longer than 30 minutes and was stopped. Compose the lead magnet again.';
const failureMessage =
  'The build failed because of an internal error; the log of the service has the details. Compose the lead magnet again.';

/** The lead magnet and its build as they are stored; undefined if the build has ended. */
async function currentBuild(ctx: JobContext, { leadMagnetId, buildId }: BuildPayload) {
  const row = await ctx.read(({ trx }) => leadMagnetRows.find(trx, leadMagnetId));
  return row?.build?.id === buildId ? { row, build: row.build } : undefined;
}

async function composeInputOf(
  ctx: JobContext,
  { title, format, brand_id }: LeadMagnetRow,
  build: LeadMagnetBuildState,
): Promise<LeadMagnetComposeInput> {
  const brand = await ctx.read((tx) => bookStyleFor(tx, brand_id));
  return { title, format, brief: build.brief, tone: build.tone, brand };
}

/** Stores a step. Returns false if the build has ended meanwhile. */
const store = (
  ctx: JobContext,
  { leadMagnetId, buildId }: BuildPayload,
  changes: Partial<LeadMagnetBuildState>,
): Promise<boolean> =>
  ctx.checkpoint(async (tx) => {
    const row = await lockBuild(tx, leadMagnetId, buildId);
    if (row?.build == null) return false;
    const build = { ...row.build, ...changes };
    const progress = {
      phase: 'chapters' as const,
      done: 1 + build.chapters.length,
      total: 1 + (build.outline?.length ?? 0),
    };
    await leadMagnetRows.change(tx.trx, row, { build, progress, updated_at: tx.now });
    return true;
  });

/** Runs the next missing step. Returns false if the build has ended meanwhile. */
async function step(
  ctx: JobContext,
  payload: BuildPayload,
  input: LeadMagnetComposeInput,
  { outline, chapters }: LeadMagnetBuildState,
): Promise<boolean> {
  if (outline === null) {
    const composed = await composeOutline(ctx, input);
    ctx.ports.phase('lead_magnets.outline_composed', payload.leadMagnetId);
    return store(ctx, payload, { outline: composed });
  }
  const chapter = await composeChapter(ctx, input, outline, chapters.length);
  ctx.ports.phase('lead_magnets.chapter_composed', payload.leadMagnetId);
  return store(ctx, payload, { chapters: [...chapters, chapter] });
}

/** Runs the missing steps. */
async function build(ctx: JobContext, payload: BuildPayload): Promise<void> {
  let input: LeadMagnetComposeInput | undefined;
  for (;;) {
    ctx.signal.throwIfAborted();
    const current = await currentBuild(ctx, payload);
    if (current === undefined) return ctx.complete();
    const { row, build: state } = current;
    if (ctx.ports.now() > state.deadline) return fail(ctx, payload, timeoutMessage);
    const { outline, chapters } = state;
    if (outline !== null && chapters.length === outline.length)
      return ctx.complete(async (tx) => {
        const locked = await lockBuild(tx, payload.leadMagnetId, payload.buildId);
        if (locked !== undefined) await completeBuild(tx, locked, chapters);
      });
    input ??= await composeInputOf(ctx, row, state);
    if (!(await step(ctx, payload, input, state))) return ctx.complete();
  }
}

const fail = (ctx: JobContext, { leadMagnetId, buildId }: BuildPayload, reason: string): Promise<void> => {
  ctx.markAttemptFailed();
  return ctx.complete(async (tx) => {
    const row = await lockBuild(tx, leadMagnetId, buildId);
    if (row !== undefined) await failBuild(tx, row, reason);
  });
};

export const buildJob = defineJob({
  kind: buildKind,
  payload: buildPayload,
  lane: 'normal',
  retryDelaysMs: [10_000, 60_000, 300_000],
  timeoutMs: buildMs,
  async handler(ctx, payload) {
    try {
      await build(ctx, payload);
    } catch (error) {
      // The writer has already asked the composer several times, so another attempt would give the same result.
      if (!isPostriderError(error)) throw error;
      await fail(ctx, payload, error.message);
    }
  },
  async exhausted({ enqueue }, payload) {
    // The job that ends late builds runs now, so that this build ends at once.
    enqueue({ kind: endBuildKind, key: payload.leadMagnetId, payload: { ...payload, reason: failureMessage } });
  },
  afterExhausted:
    'The lead magnet shows its build as failed. Compose it again with POST /v1/lead-magnets/{id}/compose.',
});

/** Ends a build that took too long or failed permanently. */
export const endBuildJob = defineJob({
  kind: endBuildKind,
  payload: buildPayload.extend({ reason: z.string().default(timeoutMessage) }),
  handler: (ctx, { reason, ...payload }) => fail(ctx, payload, reason),
});
