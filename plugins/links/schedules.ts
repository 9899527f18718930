import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';
import { dayOf, startOf } from './clicks/salts.ts';
import { noBlockList } from './port/block-list.ts';

const hour = 3_600_000;
const day = 24 * hour;

export const retention = {
  link_clicks: {
    rows: 'Clicks of short links',
    since: 'the click; their sums by day stay',
    default: '90 days',
    min: '1 day',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'links.destroy_salts',
    description: 'Deletes the salts of past days, so that hashes of visitors can no longer be traced to addresses.',
    everyMs: hour / 6,
    async run({ now, purge }) {
      await purge('link_salts', 'created_at', startOf(dayOf(now)));
    },
  },
  {
    id: 'links.remove_clicks',
    description: 'Removes old clicks, and the visitors of the days before.',
    everyMs: hour,
    async run({ now, keptSince, purgeByWorkspace }) {
      await purgeByWorkspace('link_click_batches', 'created_at', keptSince('link_clicks'));
      await purgeByWorkspace('link_visitors', 'created_at', startOf(dayOf(now)) - hour);
    },
  },
  {
    id: 'links.check_all',
    description: 'Checks the destinations of all links against the block list again.',
    everyMs: day / 4,
    async run({ ports, eachWorkspace }) {
      await eachWorkspace(async ({ enqueue, workspace }) => {
        if (ports.linkBlockList.idOf(workspace.id) === noBlockList) return;
        for (const sandbox of workspace.plan.name === 'sandbox' ? [true] : [false, true])
          enqueue({ kind: 'links.check_all', key: 'links.check_all', payload: {}, sandbox });
      });
    },
  },
];
