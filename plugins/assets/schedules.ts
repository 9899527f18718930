import type { ScheduleDeclaration } from '../../core/index.ts';

/** Removes bytes that belong to no asset, and marks assets as failed if their bytes are gone. */
export const sweepStores: ScheduleDeclaration = {
  id: 'assets.sweep',
  description: 'Compares the store of files with the assets of each workspace.',
  everyMs: 21_600_000,
  run: ({ eachWorkspace }) =>
    eachWorkspace(async ({ enqueue }) => {
      enqueue({ kind: 'assets.sweep', key: 'sweep', payload: {} });
    }),
};
