// Builds a page: its plan, then one section after the other. Each is stored before the next begins. A retry after a
// crash continues after the stored steps; a plan or section that was composed but not stored is composed again.
import { defineJob, isPostriderError, type JobContext, z } from '../../../core/index.ts';
import { renderSections } from '../rendering/texts.ts';
import { type PageRow, pageRows } from '../tables.ts';
import type { PageBuildInput } from './build-input.ts';
import type { PageBuildState, PagePlan } from './build-state.ts';
import { composePlan, composeSection } from './compose.ts';
import { completeBuild, failBuild, lockBuild } from './end-build.ts';
import { buildKind, endBuildKind } from './kinds.ts';
import { lengthHint, sectionCount } from './length.ts';
import { buildMs } from './start-build.ts';

const order = z.object({ pageId: z.string(), buildId: z.string() });
type Order = z.output<typeof order>;

const timeoutMessage = 'The build took longer than 30 minutes and was stopped. Compose the page again.';
const brokenMessage =
  'The build failed because of an internal error; the log of the service has the details. Compose the page again.';

/** The page and its build as they are stored; undefined if the build has ended. */
async function currentBuild(ctx: JobContext, { pageId, buildId }: Order) {
  const page = await ctx.read(({ trx }) => pageRows.find(trx, pageId));
  return page?.build?.id === buildId ? { page, build: page.build } : undefined;
}

async function inputOf(ctx: JobContext, page: PageRow, build: PageBuildState): Promise<PageBuildInput> {
  const brand = await ctx.read(({ trx }) => ctx.services.brands.style(trx, page.brand_id));
  const { objective, vibe, length, cta_label: ctaLabel } = page;
  const { brief, headline, buttonUrl, form } = build;
  const callerTexts = { brief, headline, objective, vibe, ctaLabel, buttonUrl, form };
  return { ...callerTexts, lengthHint: lengthHint(length), count: sectionCount(length), brand };
}

/** Stores a step. Returns false if the build has ended meanwhile. */
const store = (ctx: JobContext, { pageId, buildId }: Order, result: Partial<PageBuildState>): Promise<boolean> =>
  ctx.checkpoint(async (tx) => {
    const page = await lockBuild(tx, pageId, buildId);
    if (page?.build == null) return false;
    const build = { ...page.build, ...result };
    const doneSteps = build.plan === null ? 0 : 1 + build.written.length;
    const total = 1 + (build.plan?.sections.length ?? page.progress.total - 1);
    const progress = { phase: 'sections' as const, done: doneSteps, total };
    await pageRows.change(tx.trx, page, { build, progress, updated_at: tx.now });
    return true;
  });

/** Runs the next missing step. Returns true if the step was stored, and false if the build has ended meanwhile. */
async function step(ctx: JobContext, order: Order, input: PageBuildInput, build: PageBuildState) {
  const { plan, written } = build;
  if (plan === null) {
    const answer = await composePlan(ctx, input);
    const sections = answer.sections.map((section) => ({ id: ctx.ports.ids.create('sec'), ...section }));
    const pagePlan: PagePlan = { ...answer, sections };
    ctx.ports.phase('pages.plan_composed', order.pageId);
    return store(ctx, order, { plan: pagePlan });
  }
  const section = await composeSection(ctx, input, plan.sections, written.length);
  ctx.ports.phase('pages.section_composed', order.pageId);
  return store(ctx, order, { written: [...written, section] });
}

/** Runs the missing steps. */
async function build(ctx: JobContext, order: Order): Promise<void> {
  let setting: PageBuildInput | undefined;
  for (;;) {
    ctx.signal.throwIfAborted();
    const current = await currentBuild(ctx, order);
    if (current === undefined) return ctx.complete();
    const { page, build: state } = current;
    if (ctx.ports.now() > state.until) return fail(ctx, order, timeoutMessage);
    const { plan, written } = state;
    if (plan !== null && written.length === plan.sections.length) {
      const texts = await renderSections(written, 'sections');
      return ctx.complete(async (tx) => {
        const row = await lockBuild(tx, order.pageId, order.buildId);
        if (row !== undefined) await completeBuild(tx, row, { plan, sections: written, texts });
      });
    }
    setting ??= await inputOf(ctx, page, state);
    if (!(await step(ctx, order, setting, state))) return ctx.complete();
  }
}

const fail = (ctx: JobContext, { pageId, buildId }: Order, reason: string): Promise<void> => {
  ctx.markAttemptFailed();
  return ctx.complete(async (tx) => {
    const page = await lockBuild(tx, pageId, buildId);
    if (page !== undefined) await failBuild(tx, page, reason);
  });
};

export const buildJob = defineJob({
  kind: buildKind,
  payload: order,
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
    // The job that ends late builds ends this build now.
    enqueue({ kind: endBuildKind, key: payload.pageId, payload: { ...payload, reason: brokenMessage } });
  },
  afterExhausted: 'The page shows the build as failed. Compose it again with POST /v1/pages/{idOrSlug}/compose.',
});

/** Ends a build that took too long or failed permanently. */
export const endBuildJob = defineJob({
  kind: endBuildKind,
  payload: order.extend({ reason: z.string().default(timeoutMessage) }),
  handler: (ctx, { reason, ...given }) => fail(ctx, given, reason),
});
