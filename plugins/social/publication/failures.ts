// What a failed try of a publication leads to: another one, a wait, a question to the network, or the end of the target.

import type { JobContext, TransactionContext } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { SocialError } from '../port/index.ts';
import type { TargetError } from '../schema.ts';
import { targetRows } from '../tables.ts';
import { endTarget } from './end.ts';
import type { TargetSteps } from './steps.ts';
import type { Publication } from './target.ts';
import { afterLimit, maxLimitedMs, probeDelaysMs, retryDelaysMs, settleMs } from './times.ts';

/** A failure, and what the try was at. */
export interface Failure {
  readonly error: SocialError;
  readonly phase: 'connecting' | 'asking' | 'publishing';
}

/** In words that a marketer understands, with the network's own. */
const sentence = (text: string): string => beginning(text.trim(), 1_000);

/** Ends the target without a live post; what broke off is kept. */
const fail = (
  ctx: JobContext,
  { target }: Publication,
  steps: TargetSteps,
  end: { readonly status: 'failed' | 'unknown'; readonly error: TargetError; readonly drops?: boolean },
): Promise<void> =>
  ctx.complete(async (effects) => {
    const { parts } = steps;
    if (end.drops === true) await steps.dropOpen(effects);
    await endTarget(effects, target.id, { status: end.status, error: end.error, parts });
  });

/** The network does not say what became of a step: it is asked again, and in the end the outcome is unknown. */
export async function afterUnclear(
  ctx: JobContext,
  publication: Publication,
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

/** A limit of the network is waited for, and is no try. */
async function afterLimited(
  ctx: JobContext,
  publication: Publication,
  steps: TargetSteps,
  { error, phase }: Failure,
): Promise<void> {
  const { target, network } = publication;
  const now = ctx.ports.now();
  const since = target.limited_since ?? now;
  const drops = phase === 'publishing';
  if (now - since >= maxLimitedMs) {
    const message = `${network.rules.name} accepted no more posts for 24 hours: ${sentence(error.message)}`;
    const status = steps.isOpen && !drops ? 'unknown' : 'failed';
    return fail(ctx, publication, steps, { status, error: { code: 'provider_limited', message }, drops });
  }
  const at = Math.min(afterLimit(now, error.until), since + maxLimitedMs);
  return ctx.retryAt(
    at,
    sentence(error.message),
    async (effects: TransactionContext) => {
      if (drops) await steps.dropOpen(effects);
      await targetRows.update(effects.trx, target.id, { limited_since: since, attempts: target.attempts });
    },
    { untried: true },
  );
}

/** Nothing took effect: tried again after the delays of the timetable. */
async function afterTransient(
  ctx: JobContext,
  publication: Publication,
  steps: TargetSteps,
  { error, phase }: Failure,
): Promise<void> {
  const { target, network } = publication;
  const drops = phase === 'publishing';
  const delay = retryDelaysMs[target.attempts];
  if (delay === undefined) {
    const isUnknown = steps.isOpen && !drops;
    const message = `${network.rules.name} could not be reached: ${sentence(error.message)}`;
    const code = isUnknown ? 'outcome_unknown' : 'provider_unreachable';
    return fail(ctx, publication, steps, { status: isUnknown ? 'unknown' : 'failed', error: { code, message }, drops });
  }
  return ctx.retryAt(
    ctx.ports.now() + delay,
    sentence(error.message),
    async (effects: TransactionContext) => {
      if (drops) await steps.dropOpen(effects);
      const attempts = target.attempts + 1;
      await targetRows.update(effects.trx, target.id, { attempts });
    },
    { untried: true, relative: true },
  );
}

/** Decides it. `publication` is as it was before the try. */
export async function afterFailure(
  ctx: JobContext,
  publication: Publication,
  steps: TargetSteps,
  failure: Failure,
): Promise<void> {
  const { error, phase } = failure;
  const { account, network } = publication;
  const { name } = network.rules;
  if (error.fault === 'limited') return afterLimited(ctx, publication, steps, failure);
  if (error.fault === 'disconnected') {
    const message = `${name} no longer accepts the credentials of ${account.display_name}. Connect the account again, then publish.`;
    const drops = phase === 'publishing';
    return fail(ctx, publication, steps, { status: 'failed', error: { code: 'account_disconnected', message }, drops });
  }
  if (error.fault === 'rejected') {
    const message = `${name} refused the post: ${sentence(error.message)}`;
    const code = error.problem ?? 'provider_rejected';
    return fail(ctx, publication, steps, { status: 'failed', error: { code, message }, drops: phase === 'publishing' });
  }
  if (error.fault === 'uncertain' && steps.isOpen)
    return ctx.retryAt(ctx.ports.now() + settleMs, sentence(error.message), undefined, {
      untried: true,
      relative: true,
    });
  return afterTransient(ctx, publication, steps, failure);
}
