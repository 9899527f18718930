// Completes creations whose time is over, stores which objects were deleted, and removes creations that were rejected or canceled long ago.
import type { RetentionDeclaration, ScheduleDeclaration } from '../../../core/index.ts';
import { completeKind } from './complete.ts';

export const retention = {
  creations_ended: {
    rows: 'Rejected and canceled creations with their items',
    since: 'the rejection or the cancellation',
    default: '400 days',
    min: '1 day',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'creations.complete',
    description:
      'Completes live creations whose time is over, and stores which built objects were deleted or canceled.',
    everyMs: 3_600_000,
    async run({ eachWorkspace }) {
      await eachWorkspace(async ({ enqueue }) => {
        for (const sandbox of [false, true]) enqueue({ kind: completeKind, payload: {}, key: 'complete', sandbox });
      });
    },
  },
  {
    id: 'creations.remove_ended',
    description: 'Removes creations that were rejected or canceled long ago, with their items.',
    everyMs: 86_400_000,
    async run({ keptSince, purgeByWorkspace }) {
      await purgeByWorkspace('creations', 'ended_at', keptSince('creations_ended'), { creation_items: 'creation_id' });
    },
  },
];
