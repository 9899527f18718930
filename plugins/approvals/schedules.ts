import type { ScheduleDeclaration } from '../../core/index.ts';
import { removeDiffs } from './store.ts';

const batchSize = 200;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'approvals.retention',
    description: 'Removes requests for approval with their decisions, by default 400 days after they were made.',
    everyMs: 86_400_000,
    async run({ keptSince, purgeByWorkspace }) {
      const before = keptSince('approval_requests');
      await purgeByWorkspace('approval_requests', 'created_at', before, { approval_decisions: 'request_id' });
    },
  },
  {
    id: 'approvals.diffs',
    description: 'Removes the differences that requests for approval show, by default 90 days after they were made.',
    everyMs: 86_400_000,
    async run({ keptSince, eachWorkspace, signal }) {
      const before = keptSince('approval_diffs');
      for (let hasMore = true; hasMore && !signal.aborted; ) {
        hasMore = false;
        await eachWorkspace(async ({ trx }) => {
          for (const side of [false, true])
            if ((await removeDiffs(trx.onSide(side), before, batchSize)) === batchSize) hasMore = true;
        });
      }
    },
  },
];
