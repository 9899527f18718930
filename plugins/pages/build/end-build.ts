// The two ends of a build: a success replaces the working copy; a failure keeps it and stores the reason. Called by the jobs,
// in their transactions.
import { canonicalLocale, type TransactionContext } from '../../../core/index.ts';
import { summaryOf, workingHash } from '../content.ts';
import { pageKindId } from '../content-kind-id.ts';
import { showPage } from '../present.ts';
import type { PageText } from '../rendering/texts.ts';
import { buildPrice } from '../schema.ts';
import type { Section } from '../sections/schema.ts';
import { type PageRow, pageRows } from '../tables.ts';
import type { PagePlan } from './build-state.ts';
import { endBuildKind } from './kinds.ts';

/** Locks the page. Returns undefined if this build no longer runs. */
export async function lockBuild(
  { trx }: TransactionContext,
  pageId: string,
  buildId: string,
): Promise<PageRow | undefined> {
  const page = await pageRows.lock(trx, pageId);
  return page?.build?.id === buildId ? page : undefined;
}

/** Ends a successful build: the page becomes ready. */
export async function completeBuild(
  ctx: TransactionContext,
  page: PageRow,
  result: { readonly plan: PagePlan; readonly sections: readonly Section[]; readonly texts: readonly PageText[] },
): Promise<void> {
  const { trx, now } = ctx;
  const { plan, sections, texts } = result;
  const { build } = page;
  const total = page.progress.total;
  const changedPage: PageRow = {
    ...page,
    ...{
      title: plan.title,
      sections,
      texts,
      outline: summaryOf(sections),
      compose_status: 'ready',
      build: null,
      error: null,
    },
    metadata: {
      ...page.metadata,
      description: plan.description === '' ? null : plan.description,
      language: canonicalLocale(plan.language ?? '') ?? page.metadata.language,
    },
    progress: { phase: 'done', done: total, total },
    updated_at: now,
  };
  const { id, title, outline, metadata, progress } = changedPage;
  const row = await pageRows.change(trx, page, {
    ...{ title, sections, texts, outline, metadata, progress, build: null, error: null, compose_status: 'ready' },
    ...{ content_hash: workingHash(changedPage), updated_at: now },
  });
  if (build?.holdId != null) await ctx.settle(build.holdId, buildPrice);
  await ctx.cancelJob({ key: id, kind: endBuildKind });
  await ctx.contentChanged(pageKindId, [id]);
  ctx.emit('page.ready', await showPage(ctx, row));
}

/** Ends a failed build: the previous content stays, and the reserved credits are released. */
export async function failBuild(ctx: TransactionContext, page: PageRow, reason: string): Promise<void> {
  const { trx, now } = ctx;
  const { id, build, progress } = page;
  const row = await pageRows.change(trx, page, {
    ...{ compose_status: build?.before ?? 'failed', build: null, error: reason, updated_at: now },
    progress: build?.before === 'ready' ? { ...progress, phase: 'done', done: progress.total } : progress,
  });
  if (build?.holdId != null) await ctx.release(build.holdId);
  await ctx.cancelJob({ key: id, kind: endBuildKind });
  ctx.emit('page.failed', await showPage(ctx, row));
}
