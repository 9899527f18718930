// The publication of a sandbox post: no network is asked. Its targets end as the post's scenario says, free of charge.
import { defineJob, z } from '../../../core/index.ts';
import type { TargetRow } from '../tables.ts';
import { postRows, targetRows } from '../tables.ts';
import type { TargetEnd } from './end.ts';
import { endTarget } from './end.ts';
import { simulateKind } from './times.ts';

/** What a sandbox publication can end with. */
export const scenarios = ['published', 'failed', 'partially_published', 'unknown'] as const;

const failed: TargetEnd = {
  status: 'failed',
  error: { code: 'provider_rejected', message: 'The simulated network refused the post.' },
};
const unknown: TargetEnd = {
  status: 'unknown',
  error: { code: 'outcome_unknown', message: 'The simulated network does not say whether the post was published.' },
};

function endOf(scenario: string, { id }: TargetRow, isFirst: boolean): TargetEnd {
  if (scenario === 'unknown') return unknown;
  if (scenario === 'failed' || (scenario === 'partially_published' && !isFirst)) return failed;
  return { status: 'published', post: { externalId: `sandbox-${id}`, url: null } };
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
      for (const target of targets)
        await endTarget(ctx, effects, target.id, endOf(post.scenario ?? 'published', target, target.position === 0));
    });
  },
});
