// Publishes a post on one account, at most once. Each step is recorded before its request; after a crash or a lost answer the
// network is asked what became of it before anything is published again.

import { defineJob, type JobContext, z } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import { withNetwork } from '../networks/reach.ts';
import { isSocialError, type PublishedPost, type SocialAdapter, type SocialTarget } from '../port/index.ts';
import { behindOf } from '../port/network-clock.ts';
import { targetRows } from '../tables.ts';
import { endTarget } from './end.ts';
import { afterFailure, afterUnclear, type Failure } from './failures.ts';
import { loadSteps, type TargetSteps } from './steps.ts';
import { loadPublication, type Publication } from './target.ts';
import { endTargetKind, maxTries, publishTargetKind, retryDelaysMs, settleMs } from './times.ts';

/** A question to a network, in milliseconds. */
const askMs = 60_000;
/** A publication with its uploads. */
const publishMs = 600_000;

/** One try. `phase` says what a failure is a failure of. */
interface Try {
  readonly ctx: JobContext;
  readonly publication: Publication;
  readonly steps: TargetSteps;
  /** Whether nothing was tried since the publication was asked for; earlier ones may have left steps. */
  readonly isFirst: boolean;
  readonly retryUnknown: boolean;
  phase: Failure['phase'];
}

/** What a try came to. */
type TryResult = PublishedPost | { readonly unclear: string } | { readonly exhausted: true };

const limitOf = ({ ctx }: Try, ms: number) => ({
  signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ms)]),
  now: ctx.ports.now(),
});

/** Asks what became of an open step: the post where it is live, a reason where that is not clear, undefined where it is not. */
async function probe(one: Try, adapter: SocialAdapter): Promise<PublishedPost | { unclear: string } | undefined> {
  one.phase = 'asking';
  const { ctx, steps, publication } = one;
  const { publish_key: key, started_at: first } = publication.target;
  // Steps of an earlier publication say since when to look.
  const startedAt = first ?? steps.begunAt ?? ctx.ports.now();
  try {
    const begun = { now: ctx.ports.now(), steady: performance.now() };
    const target: SocialTarget = {
      ...publication.content,
      key,
      // The times of posts are the network's: read again after each answer, which says how far its clock is behind.
      get startedAt() {
        return startedAt - behindOf(adapter, begun);
      },
    };
    const answer = await adapter.probe(target, steps, limitOf(one, askMs));
    if (answer.outcome === 'landed') return answer.post;
    return answer.outcome === 'unclear' ? { unclear: answer.reason } : undefined;
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    if (isSocialError(error) && (error.fault === 'disconnected' || error.fault === 'limited')) throw error;
    return { unclear: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Counts the try. The first one of a publication forgets what an earlier publication left without anything visible, so that it
 * does not go on with what was written then.
 */
async function begin({ ctx, publication, steps, isFirst }: Try, isStillUnclear: boolean): Promise<SocialTarget> {
  const { target, content } = publication;
  const isFresh = isFirst && !isStillUnclear && steps.parts.length === 0 && steps.done.length > 0;
  const key = isFresh ? ctx.ports.ids.create('key').slice(-22) : target.publish_key;
  const startedAt = target.started_at ?? ctx.ports.now();
  await ctx.checkpoint(async (effects) => {
    if (isFresh) await steps.dropAll(effects);
    const changes = { attempts: target.attempts + 1, started_at: startedAt, publish_key: key };
    await targetRows.update(effects.trx, target.id, changes);
  });
  return { ...content, key, startedAt };
}

async function runTry(one: Try, adapter: SocialAdapter): Promise<TryResult> {
  const { publication, steps, retryUnknown } = one;
  // A step of an earlier publication, of which the caller says that it had no effect.
  const isEarlier = (steps.openSince ?? 0) < (publication.target.started_at ?? Number.POSITIVE_INFINITY);
  const found = steps.isOpen ? await probe(one, adapter) : undefined;
  const isUnclear = found !== undefined && 'unclear' in found;
  if (found !== undefined && !(isUnclear && isEarlier && retryUnknown)) return found;
  if (publication.target.attempts >= maxTries) return { exhausted: true };
  const target = await begin(one, isUnclear);
  one.phase = 'publishing';
  return adapter.publish(target, steps, { ...limitOf(one, publishMs), confirm: () => steps.confirm() });
}

async function publishTarget(one: Try): Promise<void> {
  const { ctx, publication, steps } = one;
  const { target, account } = publication;
  const { openSince } = steps;
  // The request of a step that broke off may still be on its way.
  if (openSince !== undefined && openSince + settleMs > ctx.ports.now())
    return ctx.retryAt(openSince + settleMs, 'waits for what became of a request', undefined, { untried: true });
  try {
    const result = await ctx.ports.telemetry.provider(
      { port: 'social', provider: publication.network.provider, operation: 'publish' },
      () => withNetwork(ctx, account.connector_id, (adapter) => runTry(one, adapter)),
    );
    if ('unclear' in result) return await afterUnclear(ctx, publication, steps, result.unclear);
    if ('exhausted' in result) {
      const message = 'The network could not be reached, however often it was tried.';
      return await ctx.complete((effects) =>
        endTarget(effects, target.id, {
          status: 'failed',
          error: { code: 'provider_unreachable', message },
          parts: steps.parts,
        }),
      );
    }
    ctx.ports.phase('social.published', target.id);
    await ctx.complete((effects) => endTarget(effects, target.id, { status: 'published', post: result }));
  } catch (error) {
    if (!isSocialError(error)) throw error;
    await afterFailure(ctx, publication, steps, { error, phase: one.phase });
  }
}

export const publishTargetJob = defineJob({
  kind: publishTargetKind,
  payload: z.object({ targetId: z.string(), retryUnknown: z.boolean().optional() }),
  lane: 'outbound',
  // For faults of the service itself. Those of networks have a timetable of their own.
  retryDelaysMs: [...retryDelaysMs, 21_600_000],
  timeoutMs: publishMs + askMs + 30_000,

  async handler(ctx, { targetId, retryUnknown = false }) {
    const publication = await loadPublication(ctx, targetId);
    if (publication === undefined) return ctx.complete();
    const steps = await loadSteps(ctx, targetId);
    if ('code' in publication)
      return ctx.complete((effects) =>
        endTarget(effects, targetId, { status: 'failed', error: publication, parts: steps.parts }),
      );
    const isFirst = publication.target.started_at === null;
    return publishTarget({ ctx, publication, steps, isFirst, retryUnknown, phase: 'connecting' });
  },

  async exhausted(effects, { targetId }, reason) {
    effects.enqueue({ kind: endTargetKind, payload: { targetId, reason: beginning(reason, 500) } });
  },
});

/** Ends a target whose job was given up. */
export const endTargetJob = defineJob({
  kind: endTargetKind,
  payload: z.object({ targetId: z.string(), reason: z.string() }),

  async handler(ctx, { targetId, reason }) {
    const { isOpen, parts } = await loadSteps(ctx, targetId);
    const error = isOpen
      ? { code: 'outcome_unknown', message: 'It is not known whether the post was published.' }
      : { code: 'internal_error', message: 'The publication was given up.' };
    ctx.log.error({ targetId, reason }, 'social publication given up');
    await ctx.complete((effects) =>
      endTarget(effects, targetId, { status: isOpen ? 'unknown' : 'failed', error, parts }),
    );
  },
});
