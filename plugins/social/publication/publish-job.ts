// Publishes a post on one account, at most once. Each step is recorded before its request. After a crash or a lost response, the network
// is asked whether the step took effect before anything is published again.

import { defineJob, type JobContext, z } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import { withNetwork } from '../networks/call-network.ts';
import { isSocialError, type PublishedPost, type SocialAdapter, type SocialTarget } from '../port/index.ts';
import { behindOf } from '../port/network-clock.ts';
import { targetRows } from '../tables.ts';
import { finishTarget } from './end-target.ts';
import { afterFailure, afterUnclear, type PublishFailure } from './failures.ts';
import { loadPublication, type TargetPublication } from './load-publication.ts';
import { loadSteps, type TargetSteps } from './steps.ts';
import { endTargetKind, firstProbeDelayMs, maxTries, publishTargetKind, retryDelaysMs } from './times.ts';

/** The time limit of a probe, in milliseconds. */
const probeTimeoutMs = 60_000;
/** The time limit of a publication with its uploads, in milliseconds. */
const publishTimeoutMs = 600_000;

/** One attempt to publish. */
interface PublishAttempt {
  readonly ctx: JobContext;
  readonly publication: TargetPublication;
  readonly steps: TargetSteps;
  /** Whether this is the first attempt of the publication. An earlier publication may have left steps. */
  readonly isFirst: boolean;
  readonly retryUnknown: boolean;
  phase: PublishFailure['phase'];
}

/** The result of an attempt. */
type AttemptResult = PublishedPost | { readonly unclear: string } | { readonly exhausted: true };

const limitOf = ({ ctx }: PublishAttempt, ms: number) => ({
  signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ms)]),
  now: ctx.ports.now(),
});

/** Asks the network whether an open step took effect: returns the post if it is live, the reason if that is unclear, else undefined. */
async function probe(
  attempt: PublishAttempt,
  adapter: SocialAdapter,
): Promise<PublishedPost | { unclear: string } | undefined> {
  attempt.phase = 'asking';
  const { ctx, steps, publication } = attempt;
  const { publish_key: key, started_at: firstStartedAt } = publication.target;
  // If an earlier publication left steps, look for posts since its first step.
  const startedAt = firstStartedAt ?? steps.begunAt ?? ctx.ports.now();
  try {
    const probeStart = { now: ctx.ports.now(), steady: performance.now() };
    const target: SocialTarget = {
      ...publication.content,
      key,
      // Posts have the times of the network's clock, and each response shows how far that clock is behind.
      get startedAt() {
        return startedAt - behindOf(adapter, probeStart);
      },
    };
    const answer = await adapter.probe(target, steps, limitOf(attempt, probeTimeoutMs));
    if (answer.outcome === 'landed') return answer.post;
    return answer.outcome === 'unclear' ? { unclear: answer.reason } : undefined;
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    if (isSocialError(error) && (error.fault === 'disconnected' || error.fault === 'limited')) throw error;
    return { unclear: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Counts the attempt. If an earlier publication left steps but nothing visible, the first attempt drops these steps, so that it does not
 * continue with the earlier content.
 */
async function beginAttempt(
  { ctx, publication, steps, isFirst }: PublishAttempt,
  isStillUnclear: boolean,
): Promise<SocialTarget> {
  const { target, content } = publication;
  const startsOver = isFirst && !isStillUnclear && steps.parts.length === 0 && steps.done.length > 0;
  const key = startsOver ? ctx.ports.ids.create('key').slice(-22) : target.publish_key;
  const startedAt = target.started_at ?? ctx.ports.now();
  await ctx.checkpoint(async (tx) => {
    if (startsOver) await steps.dropAll(tx);
    const changes = { attempts: target.attempts + 1, started_at: startedAt, publish_key: key };
    await targetRows.update(tx.trx, target.id, changes);
  });
  return { ...content, key, startedAt };
}

async function runAttempt(attempt: PublishAttempt, adapter: SocialAdapter): Promise<AttemptResult> {
  const { publication, steps, retryUnknown } = attempt;
  // With `retryUnknown`, the caller states that an open step of an earlier publication had no effect.
  const isFromEarlier = (steps.openSince ?? 0) < (publication.target.started_at ?? Number.POSITIVE_INFINITY);
  const probed = steps.isOpen ? await probe(attempt, adapter) : undefined;
  const isUnclear = probed !== undefined && 'unclear' in probed;
  if (probed !== undefined && !(isUnclear && isFromEarlier && retryUnknown)) return probed;
  if (publication.target.attempts >= maxTries) return { exhausted: true };
  const target = await beginAttempt(attempt, isUnclear);
  attempt.phase = 'publishing';
  return adapter.publish(target, steps, { ...limitOf(attempt, publishTimeoutMs), confirm: () => steps.confirm() });
}

async function publishTarget(attempt: PublishAttempt): Promise<void> {
  const { ctx, publication, steps } = attempt;
  const { target, account } = publication;
  const { openSince } = steps;
  // The request of an open step may still be on its way.
  if (openSince !== undefined && openSince + firstProbeDelayMs > ctx.ports.now())
    return ctx.retryAt(openSince + firstProbeDelayMs, 'waits for the outcome of a request', undefined, {
      untried: true,
    });
  try {
    const result = await ctx.ports.telemetry.provider(
      { port: 'social', provider: publication.network.provider, operation: 'publish' },
      () => withNetwork(ctx, account.connector_id, (adapter) => runAttempt(attempt, adapter)),
    );
    if ('unclear' in result) return await afterUnclear(ctx, publication, steps, result.unclear);
    if ('exhausted' in result) {
      const message = 'The network could not be reached in any attempt.';
      return await ctx.complete((ctx) =>
        finishTarget(ctx, target.id, {
          status: 'failed',
          error: { code: 'provider_unreachable', message },
          parts: steps.parts,
        }),
      );
    }
    ctx.ports.phase('social.published', target.id);
    await ctx.complete((ctx) => finishTarget(ctx, target.id, { status: 'published', post: result }));
  } catch (error) {
    if (!isSocialError(error)) throw error;
    await afterFailure(ctx, publication, steps, { error, phase: attempt.phase });
  }
}

export const publishTargetJob = defineJob({
  kind: publishTargetKind,
  payload: z.object({ targetId: z.string(), retryUnknown: z.boolean().optional() }),
  lane: 'outbound',
  // For faults of the service itself. Faults of networks have their own delays (times.ts).
  retryDelaysMs: [...retryDelaysMs, 21_600_000],
  timeoutMs: publishTimeoutMs + probeTimeoutMs + 30_000,

  async handler(ctx, { targetId, retryUnknown = false }) {
    const publication = await loadPublication(ctx, targetId);
    if (publication === undefined) return ctx.complete();
    const steps = await loadSteps(ctx, targetId);
    if ('code' in publication)
      return ctx.complete((tx) =>
        finishTarget(tx, targetId, { status: 'failed', error: publication, parts: steps.parts }),
      );
    const isFirst = publication.target.started_at === null;
    return publishTarget({ ctx, publication, steps, isFirst, retryUnknown, phase: 'connecting' });
  },

  async exhausted(ctx, { targetId }, reason) {
    ctx.enqueue({ kind: endTargetKind, payload: { targetId, reason: beginning(reason, 500) } });
  },
});

/** Ends a target whose job has used up its attempts. */
export const recordAbandonedTargetJob = defineJob({
  kind: endTargetKind,
  payload: z.object({ targetId: z.string(), reason: z.string() }),

  async handler(ctx, { targetId, reason }) {
    const { isOpen, parts } = await loadSteps(ctx, targetId);
    const error = isOpen
      ? { code: 'outcome_unknown', message: 'It is not known whether the post was published.' }
      : { code: 'internal_error', message: 'The publication was given up.' };
    ctx.log.error({ targetId, reason }, 'social publication given up');
    await ctx.complete((tx) => finishTarget(tx, targetId, { status: isOpen ? 'unknown' : 'failed', error, parts }));
  },
});
