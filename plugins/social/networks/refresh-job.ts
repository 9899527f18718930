// The hourly refresh of the accounts. It updates options such as boards, and finds credentials that a network no longer accepts.
import { defineJob, type ScheduleDeclaration, z } from '../../../core/index.ts';
import { concurrencyKeyOf } from './concurrency-key.ts';
import { queryNetworks, storeReplies } from './refresh.ts';

const kind = 'social.refresh_networks';

export const refreshNetworksJob = defineJob({
  kind,
  payload: z.object({}),
  lane: 'outbound',
  retryDelaysMs: [60_000, 600_000],
  timeoutMs: 90_000,

  async handler(ctx) {
    const replies = await queryNetworks(ctx);
    await ctx.complete(async (tx) => {
      await storeReplies(tx, replies);
    });
  },
});

export const refreshNetworksSchedule: ScheduleDeclaration = {
  id: 'social.refresh_networks',
  description: 'Asks the networks for the accounts of every workspace that has connected one.',
  everyMs: 3_600_000,
  run: ({ eachWorkspace, services }) =>
    eachWorkspace(async ({ trx, enqueue, workspace }) => {
      if (!services.connectors.providers.hasKind('social')) return;
      const connectors = await services.connectors.list(trx, 'social');
      if (connectors.length === 0) return;
      enqueue({ kind, payload: {}, key: kind, concurrencyKey: concurrencyKeyOf(kind, workspace.id) });
    }),
};
