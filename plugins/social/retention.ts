import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';

export const retention = {
  social_posts: { rows: 'Deleted social posts', since: 'the deletion', default: '30 days' },
  social_figures: { rows: 'Figures of social posts', since: 'their collection', default: '400 days' },
  social_steps: { rows: 'Records of how social posts were published', since: 'the step', default: '400 days' },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const retentionSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'social.remove_old',
    description: 'Removes posts that were deleted long ago, old figures, and old records of publications.',
    everyMs: 86_400_000,
    async run(context) {
      const { keptSince, purgeByWorkspace } = context;
      await purgeByWorkspace('social_posts', 'deleted_at', keptSince('social_posts'), { social_targets: 'post_id' });
      await purgeByWorkspace('social_figures', 'collected_at', keptSince('social_figures'));
      await purgeByWorkspace('social_steps', 'at', keptSince('social_steps'));
    },
  },
];
