// Starts a build: reserves its price, and enqueues the job that writes and the job that ends a build that takes too
// long.
import type { TransactionContext } from '../../../core/index.ts';
import { composePrice } from '../schema.ts';
import type { LeadMagnetRow } from '../tables.ts';
import type { LeadMagnetBuildState } from './build-state.ts';
import { buildKind, endBuildKind } from './kinds.ts';

/** The time limit of a build, in milliseconds. */
export const buildMs = 30 * 60_000;
/** The lifetime of the reservation. It is longer than the time limit, so that the job that ends a late build runs before it expires. */
const holdMs = buildMs + 10 * 60_000;

/** Returns the columns that the build changes. @throws credits_exhausted */
export async function startBuild(
  ctx: TransactionContext,
  { id, status }: Pick<LeadMagnetRow, 'id' | 'status'>,
  { brief, tone }: Pick<LeadMagnetBuildState, 'brief' | 'tone'>,
): Promise<Pick<LeadMagnetRow, 'build' | 'progress' | 'error' | 'status'>> {
  const { now, newId, enqueue } = ctx;
  const holdId = await ctx.hold(composePrice, 'compose lead magnet', { expiresAt: now + holdMs });
  const build: LeadMagnetBuildState = {
    ...{ id: newId('bld'), brief, tone, deadline: now + buildMs, holdId, before: status },
    ...{ outline: null, chapters: [] },
  };
  const payload = { leadMagnetId: id, buildId: build.id };
  enqueue({ kind: buildKind, payload });
  enqueue({ kind: endBuildKind, payload, key: id, runAt: build.deadline });
  return {
    ...{ build, error: null, status: status === 'ready' ? 'building' : 'queued' },
    progress: { phase: 'waiting', done: 0, total: 1 },
  };
}
