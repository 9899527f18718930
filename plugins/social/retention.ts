import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';
import { removeDeleted } from './store.ts';

export const retention = {
  social_posts: { rows: 'Deleted social posts', since: 'the deletion', default: '30 days', min: '30 days' },
  social_figures: { rows: 'Metrics of social posts', since: 'their collection', default: '400 days' },
  social_steps: { rows: 'Records of how social posts were published', since: 'the step', default: '400 days' },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const retentionSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'social.remove_deleted',
    description: 'Removes posts that were deleted long ago.',
    everyMs: 3_600_000,
    async run({ eachWorkspace, keptSince }) {
      const before = keptSince('social_posts');
      await eachWorkspace(async ({ trx }) => {
        for (const side of [false, true]) await removeDeleted(trx.onSide(side), before);
      });
    },
  },
  {
    id: 'social.remove_old',
    description: 'Deletes old metrics, and old records of publications.',
    everyMs: 86_400_000,
    async run({ keptSince, purgeByWorkspace }) {
      await purgeByWorkspace('social_figures', 'collected_at', keptSince('social_figures'));
      await purgeByWorkspace('social_steps', 'at', keptSince('social_steps'));
    },
  },
];
