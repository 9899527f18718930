// Decides how a publication continues after a failed attempt: with another attempt, a wait, a probe, or the end of the target.

import type { JobContext, TransactionContext } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { SocialError } from '../port/index.ts';
import type { TargetError } from '../schema.ts';
import { targetRows } from '../tables.ts';
import { finishTarget } from './end-target.ts';
import type { TargetPublication } from './load-publication.ts';
import type { TargetSteps } from './steps.ts';
import { afterLimit, firstProbeDelayMs, maxLimitedMs, probeDelaysMs, retryDelaysMs } from './times.ts';

/** The error of a failed attempt, and the phase in which it occurred. */
export interface PublishFailure {
  readonly error: SocialError;
  readonly phase: 'connecting' | 'asking' | 'publishing';
}

/** Shortens a message of the network to 1,000 characters, for an error that marketers read. */
const sentence = (text: string): string => beginning(text.trim(), 1_000);

/**
 * Ends the target without a live post, and stores its visible parts. `drops`: whether to remove the open steps of this attempt, because
 * they had no effect.
 */
const fail = (
  ctx: JobContext,
  { target }: TargetPublication,
  steps: TargetSteps,
  end: { readonly status: 'failed' | 'unknown'; readonly error: TargetError; readonly drops?: boolean },
): Promise<void> =>
  ctx.complete(async (tx) => {
    const { parts } = steps;
    if (end.drops === true) await steps.dropOpen(tx);
    await finishTarget(tx, target.id, { status: end.status, error: end.error, parts });
  });

/** If the network does not say whether a step took effect, it is asked again later. After the last probe, the target ends as unknown. */
export async function afterUnclear(
  ctx: JobContext,
  publication: TargetPublication,
  steps: TargetSteps,
  reason: string,
): Promise<void> {
  const { target, network } = publication;
  const delay = probeDelaysMs[target.probes];
  if (delay === undefined) {
    const message = `${network.rules.name} does not say whether the post was published. Look there before you publish it again.`;
    return fail(ctx, publication, steps, { status: 'unknown', error: { code: 'outcome_unknown', message } });
  }
  const changes = { probes: target.probes + 1 };
  return ctx.retryAt(
    ctx.ports.now() + delay,
    sentence(reason),
    async ({ trx }) => void (await targetRows.update(trx, target.id, changes)),
    { untried: true, relative: true },
  );
}

/** Waits for a limit of the network to end. This does not count as an attempt. */
async function afterLimited(
  ctx: JobContext,
  publication: TargetPublication,
  steps: TargetSteps,
  { error, phase }: PublishFailure,
): Promise<void> {
  const { target, network } = publication;
  const now = ctx.ports.now();
  const since = target.limited_since ?? now;
  const dropsOpenSteps = phase === 'publishing';
  if (now - since >= maxLimitedMs) {
    const message = `${network.rules.name} accepted no more posts for 24 hours: ${sentence(error.message)}`;
    const status = steps.isOpen && !dropsOpenSteps ? 'unknown' : 'failed';
    return fail(ctx, publication, steps, {
      status,
      error: { code: 'provider_limited', message },
      drops: dropsOpenSteps,
    });
  }
  const at = Math.min(afterLimit(now, error.until), since + maxLimitedMs);
  return ctx.retryAt(
    at,
    sentence(error.message),
    async (tx: TransactionContext) => {
      if (dropsOpenSteps) await steps.dropOpen(tx);
      await targetRows.update(tx.trx, target.id, { limited_since: since, attempts: target.attempts });
    },
    { untried: true },
  );
}

/** After an attempt without effect: tries again after the next of `retryDelaysMs`. */
async function afterTransient(
  ctx: JobContext,
  publication: TargetPublication,
  steps: TargetSteps,
  { error, phase }: PublishFailure,
): Promise<void> {
  const { target, network } = publication;
  const dropsOpenSteps = phase === 'publishing';
  const delay = retryDelaysMs[target.attempts];
  if (delay === undefined) {
    const isUnknown = steps.isOpen && !dropsOpenSteps;
    const message = `${network.rules.name} could not be reached: ${sentence(error.message)}`;
    const code = isUnknown ? 'outcome_unknown' : 'provider_unreachable';
    return fail(ctx, publication, steps, {
      status: isUnknown ? 'unknown' : 'failed',
      error: { code, message },
      drops: dropsOpenSteps,
    });
  }
  return ctx.retryAt(
    ctx.ports.now() + delay,
    sentence(error.message),
    async (tx: TransactionContext) => {
      if (dropsOpenSteps) await steps.dropOpen(tx);
      const attempts = target.attempts + 1;
      await targetRows.update(tx.trx, target.id, { attempts });
    },
    { untried: true, relative: true },
  );
}

/** Decides how to continue after a failed attempt. `publication`: its state before the attempt. */
export async function afterFailure(
  ctx: JobContext,
  publication: TargetPublication,
  steps: TargetSteps,
  failure: PublishFailure,
): Promise<void> {
  const { error, phase } = failure;
  const { account, network } = publication;
  const { name } = network.rules;
  if (error.fault === 'limited') return afterLimited(ctx, publication, steps, failure);
  if (error.fault === 'disconnected') {
    const message = `${name} no longer accepts the credentials of ${account.display_name}. Connect the account again, then publish.`;
    const dropsOpenSteps = phase === 'publishing';
    return fail(ctx, publication, steps, {
      status: 'failed',
      error: { code: 'account_disconnected', message },
      drops: dropsOpenSteps,
    });
  }
  if (error.fault === 'rejected') {
    const message = `${name} refused the post: ${sentence(error.message)}`;
    const code = error.problem ?? 'provider_rejected';
    return fail(ctx, publication, steps, { status: 'failed', error: { code, message }, drops: phase === 'publishing' });
  }
  if (error.fault === 'uncertain' && steps.isOpen)
    return ctx.retryAt(ctx.ports.now() + firstProbeDelayMs, sentence(error.message), undefined, {
      untried: true,
      relative: true,
    });
  return afterTransient(ctx, publication, steps, failure);
}
