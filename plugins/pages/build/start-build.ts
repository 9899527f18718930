// Starts a build: reserves its price, and enqueues the job that builds and the job that ends a build that takes too
// long.
import type { TransactionContext } from '../../../core/index.ts';
import { buildPrice } from '../schema.ts';
import type { WantedForm } from '../sections/form.ts';
import type { ComposeStatus } from '../states.ts';
import type { BuildProgress } from '../tables.ts';
import type { PageBuildState } from './build-state.ts';
import { buildKind, endBuildKind } from './kinds.ts';
import { sectionCount } from './length.ts';

/** The time limit of a build, in milliseconds. */
export const buildMs = 30 * 60_000;
/** The lifetime of the reservation. It is longer than the time limit, so that the job that ends a late build runs before it expires. */
const holdMs = buildMs + 10 * 60_000;

/** The input of a build. */
export interface PageBuildOrder {
  readonly pageId: string;
  readonly brief: string;
  readonly headline: string | null;
  /** The link of buttons. (Default: the form of the page) */
  readonly buttonUrl?: string | undefined;
  /** The form that was asked for. (Default: a built-in form) */
  readonly form?: WantedForm | undefined;
  readonly length: string | null;
  readonly before: ComposeStatus | null;
}

/** Returns the columns of the page that the build changes. @throws credits_exhausted */
export async function startBuild(
  ctx: TransactionContext,
  { pageId, brief, headline, buttonUrl, form, length, before }: PageBuildOrder,
): Promise<{ readonly build: PageBuildState; readonly progress: BuildProgress; readonly error: null }> {
  const { now, newId, enqueue } = ctx;
  const holdId = await ctx.hold(buildPrice, 'build page', { expiresAt: now + holdMs });
  const build: PageBuildState = {
    ...{ id: newId('bld'), brief, headline, until: now + buildMs, holdId, before },
    ...{
      plan: null,
      written: [],
      ...(buttonUrl === undefined ? {} : { buttonUrl }),
      ...(form === undefined ? {} : { form }),
    },
  };
  const payload = { pageId, buildId: build.id };
  enqueue({ kind: buildKind, payload });
  enqueue({ kind: endBuildKind, payload, key: pageId, runAt: build.until });
  const progress = { phase: 'waiting' as const, done: 0, total: 1 + sectionCount(length) };
  return { build, progress, error: null };
}
