// Builds a page: its plan, then one section after the other. Each is stored before the next begins. A retry after a
// crash continues after the stored steps; a plan or section that was composed but not stored is composed again.
import { defineJob, isPostriderError, type JobContext, z } from '../../../core/index.ts';
import { renderSections } from '../rendering/texts.ts';
import { type PageRow, pageRows } from '../tables.ts';
import { composePlan, composeSection } from './compose.ts';
import { failBuild, landBuild, lockBuild } from './end.ts';
import { buildKind, endBuildKind } from './kinds.ts';
import { lengthHint, sectionCount } from './length.ts';
import type { PageSetting } from './setting.ts';
import { buildMs } from './start.ts';
import type { BuildState, PagePlan } from './state.ts';

const order = z.object({ pageId: z.string(), buildId: z.string() });
type Order = z.output<typeof order>;

const tooLate = 'The build took longer than 30 minutes and was ended. Compose the page again.';
const broken = 'The build failed for a reason of the service itself, which is in its log. Compose the page again.';

/** The page and its build as they are stored; undefined if the build has ended. */
async function currentBuild(ctx: JobContext, { pageId, buildId }: Order) {
  const page = await ctx.read(({ trx }) => pageRows.find(trx, pageId));
  return page?.build?.id === buildId ? { page, build: page.build } : undefined;
}

async function settingOf(ctx: JobContext, page: PageRow, build: BuildState): Promise<PageSetting> {
  const brand = await ctx.read(({ trx }) => ctx.services.brands.look(trx, page.brand_id));
  const { objective, vibe, length, cta_label: ctaLabel } = page;
  const { brief, headline, buttonUrl } = build;
  const words = { brief, headline, objective, vibe, ctaLabel, buttonUrl };
  return { ...words, lengthHint: lengthHint(length), count: sectionCount(length), brand };
}

/** Stores a step. Returns false if the build has ended meanwhile. */
const store = (ctx: JobContext, { pageId, buildId }: Order, made: Partial<BuildState>): Promise<boolean> =>
  ctx.checkpoint(async (effects) => {
    const page = await lockBuild(effects, pageId, buildId);
    if (page?.build == null) return false;
    const build = { ...page.build, ...made };
    const done = build.plan === null ? 0 : 1 + build.written.length;
    const total = 1 + (build.plan?.sections.length ?? page.progress.total - 1);
    const progress = { phase: 'sections' as const, done, total };
    await pageRows.change(effects.trx, page, { build, progress, updated_at: effects.now });
    return true;
  });

/** Runs the next missing step. Returns true if the step was stored, and false if the build has ended meanwhile. */
async function step(ctx: JobContext, given: Order, setting: PageSetting, build: BuildState) {
  const { plan, written } = build;
  if (plan === null) {
    const answer = await composePlan(ctx, setting);
    const sections = answer.sections.map((section) => ({ id: ctx.ports.ids.create('sec'), ...section }));
    const made: PagePlan = { ...answer, sections };
    ctx.ports.phase('pages.plan_composed', given.pageId);
    return store(ctx, given, { plan: made });
  }
  const section = await composeSection(ctx, setting, plan.sections, written.length);
  ctx.ports.phase('pages.section_composed', given.pageId);
  return store(ctx, given, { written: [...written, section] });
}

/** Runs the missing steps. */
async function build(ctx: JobContext, given: Order): Promise<void> {
  let setting: PageSetting | undefined;
  for (;;) {
    ctx.signal.throwIfAborted();
    const current = await currentBuild(ctx, given);
    if (current === undefined) return ctx.complete();
    const { page, build: state } = current;
    if (ctx.ports.now() > state.until) return fail(ctx, given, tooLate);
    const { plan, written } = state;
    if (plan !== null && written.length === plan.sections.length) {
      const texts = await renderSections(written, 'sections');
      return ctx.complete(async (effects) => {
        const row = await lockBuild(effects, given.pageId, given.buildId);
        if (row !== undefined) await landBuild(effects, row, { plan, sections: written, texts });
      });
    }
    setting ??= await settingOf(ctx, page, state);
    if (!(await step(ctx, given, setting, state))) return ctx.complete();
  }
}

const fail = (ctx: JobContext, { pageId, buildId }: Order, reason: string): Promise<void> => {
  ctx.tryFailed();
  return ctx.complete(async (effects) => {
    const page = await lockBuild(effects, pageId, buildId);
    if (page !== undefined) await failBuild(effects, page, reason);
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
    enqueue({ kind: endBuildKind, key: given.pageId, payload: { ...given, reason: broken } });
  },
  afterExhausted: 'The page shows the build as failed. Compose it again with POST /v1/pages/{idOrSlug}/compose.',
});

/** Ends a build that took too long or failed permanently. */
export const endBuildJob = defineJob({
  kind: endBuildKind,
  payload: order.extend({ reason: z.string().default(tooLate) }),
  handler: (ctx, { reason, ...given }) => fail(ctx, given, reason),
});
