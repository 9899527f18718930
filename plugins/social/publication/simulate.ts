// Simulates the publication of a sandbox post, free of charge and without calling a network. Its targets end as the post's scenario says,
// or with the simulated fault of a development network.
import { defineJob, type Services, z } from '../../../core/index.ts';
import { type CaptureTrouble, isCapturing } from '../port/index.ts';
import { postRows, type TargetRow, targetRows } from '../tables.ts';
import { endTarget, type TargetEnd } from './end.ts';
import { simulateKind } from './times.ts';

/** The scenarios of a sandbox publication. */
export const scenarios = ['published', 'failed', 'partially_published', 'unknown'] as const;

const failed = {
  status: 'failed',
  error: { code: 'provider_rejected', message: 'The simulated network refused the post.' },
} as const satisfies TargetEnd;
const unknown = {
  status: 'unknown',
  error: { code: 'outcome_unknown', message: 'The simulated network does not say whether the post was published.' },
} as const satisfies TargetEnd;

function endOf(scenario: string, { id }: TargetRow, isFirst: boolean): TargetEnd {
  if (scenario === 'unknown') return unknown;
  if (scenario === 'failed' || (scenario === 'partially_published' && !isFirst)) return failed;
  return { status: 'published', post: { externalId: `sandbox-${id}`, url: null } };
}

/** The error code for each simulated fault of a network that keeps posts in the process. */
const troubleEnds: Readonly<Record<CaptureTrouble, string>> = {
  rejected: 'provider_rejected',
  limited: 'provider_limited',
  disconnected: 'account_disconnected',
  down: 'provider_unreachable',
  blind: 'outcome_unknown',
  'breaks before': 'outcome_unknown',
  'breaks after': 'outcome_unknown',
};

/** The end of a target whose network has a simulated fault; undefined if it has none. */
function troubleOf({ socialChannels }: Services, { channel_id: channelId }: TargetRow): TargetEnd | undefined {
  const network = socialChannels.networks.find(({ rules }) => rules.channelId === channelId);
  const trouble = network !== undefined && isCapturing(network) ? network.capture.trouble : null;
  if (trouble === null) return undefined;
  const code = troubleEnds[trouble];
  if (code === unknown.error.code) return unknown;
  const message = `${network?.rules.name ?? channelId} was told to fail: ${trouble}.`;
  return { status: 'failed', error: { code, message } };
}

export const simulatePublication = defineJob({
  kind: simulateKind,
  payload: z.object({ postId: z.string() }),

  async handler(ctx, { postId }) {
    await ctx.complete(async (effects) => {
      const post = await postRows.lock(effects.trx, postId);
      if (post?.status !== 'publishing') return;
      const targets = await targetRows.findIn(effects.trx, 'post_id', [postId], 'update');
      targets.sort((one, other) => one.position - other.position);
      for (const target of targets)
        if (target.status === 'publishing')
          await targetRows.change(effects.trx, target, { attempts: target.attempts + 1 });
      const scenario = post.scenario ?? 'published';
      for (const target of targets) {
        const trouble = scenario === 'published' ? troubleOf(ctx.services, target) : undefined;
        await endTarget(effects, target.id, trouble ?? endOf(scenario, target, target.position === 0));
      }
    });
  },
});
