import type { ScheduleDeclaration } from '../../core/index.ts';
import { compareAll, updateWatches } from './watching/update-watches.ts';

/** Less than 5 minutes, because the comparison itself takes a while. */
const everyMs = 240_000;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'segments.compare',
    description: 'Looks for contacts that entered or left watched segments.',
    everyMs,
    run: (context) =>
      context.eachWorkspace(async (ctx) => {
        await updateWatches(ctx);
        await compareAll(ctx);
      }),
  },
];
