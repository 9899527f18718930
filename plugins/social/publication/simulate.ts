// Simulates the publication of a sandbox post, free of charge and without calling a network. Its targets end as the post's scenario says,
// or with the simulated fault of a development network.
import { defineJob, type Services, z } from '../../../core/index.ts';
import { isCapturing, type SimulatedFault } from '../port/index.ts';
import { postRows, type TargetRow, targetRows } from '../tables.ts';
import { finishTarget, type TargetResult } from './end-target.ts';
import { simulateKind } from './times.ts';

/** The scenarios of a sandbox publication. */
export const scenarios = ['published', 'failed', 'partially_published', 'unknown'] as const;

const failedResult = {
  status: 'failed',
  error: { code: 'provider_rejected', message: 'The simulated network refused the post.' },
} as const satisfies TargetResult;
const unknownResult = {
  status: 'unknown',
  error: { code: 'outcome_unknown', message: 'The simulated network does not say whether the post was published.' },
} as const satisfies TargetResult;

function outcomeOf(scenario: string, { id }: TargetRow, isFirst: boolean): TargetResult {
  if (scenario === 'unknown') return unknownResult;
  if (scenario === 'failed' || (scenario === 'partially_published' && !isFirst)) return failedResult;
  return { status: 'published', post: { externalId: `sandbox-${id}`, url: null } };
}

/** The error code for each simulated fault of a capture network, which keeps posts in memory. */
const faultCodes: Readonly<Record<SimulatedFault, string>> = {
  rejected: 'provider_rejected',
  limited: 'provider_limited',
  disconnected: 'account_disconnected',
  down: 'provider_unreachable',
  blind: 'outcome_unknown',
  'breaks before': 'outcome_unknown',
  'breaks after': 'outcome_unknown',
};

/** The result of a target whose network has a simulated fault; undefined if the network has no fault. */
function simulatedOutcomeOf(
  { socialChannels }: Services,
  { channel_id: channelId }: TargetRow,
): TargetResult | undefined {
  const network = socialChannels.networks.find(({ rules }) => rules.channelId === channelId);
  const fault = network !== undefined && isCapturing(network) ? network.capture.simulatedFault : null;
  if (fault === null) return undefined;
  const code = faultCodes[fault];
  if (code === unknownResult.error.code) return unknownResult;
  const message = `${network?.rules.name ?? channelId} simulates the fault: ${fault}.`;
  return { status: 'failed', error: { code, message } };
}

export const simulatePublication = defineJob({
  kind: simulateKind,
  payload: z.object({ postId: z.string() }),

  async handler(ctx, { postId }) {
    await ctx.complete(async (tx) => {
      const post = await postRows.lock(tx.trx, postId);
      if (post?.status !== 'publishing') return;
      const targets = await targetRows.findIn(tx.trx, 'post_id', [postId], 'update');
      targets.sort((a, b) => a.position - b.position);
      for (const target of targets)
        if (target.status === 'publishing') await targetRows.change(tx.trx, target, { attempts: target.attempts + 1 });
      const scenario = post.scenario ?? 'published';
      for (const target of targets) {
        const fault = scenario === 'published' ? simulatedOutcomeOf(ctx.services, target) : undefined;
        await finishTarget(tx, target.id, fault ?? outcomeOf(scenario, target, target.position === 0));
      }
    });
  },
});
