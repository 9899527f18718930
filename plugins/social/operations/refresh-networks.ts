import { defineOperationWithPrepare, isoTime, toIsoTime, z } from '../../../core/index.ts';
import { listAccounts } from '../networks/disconnect.ts';
import { queryNetworks, storeReplies } from '../networks/refresh.ts';
import { showNetwork } from '../present.ts';
import { socialNetwork } from '../resources.ts';
import { refreshRows } from '../tables.ts';

/** The minimum time between two refreshes, in milliseconds. An earlier call returns the stored answer. */
const minIntervalMs = 60_000;

export const refreshNetworks = defineOperationWithPrepare({
  id: 'social.networks_refresh',
  summary: 'Refresh the connected networks',
  description:
    'Asks every network for its accounts. An account whose network does not answer within 20 seconds keeps its stored state and is listed in failures. A second call within 60 seconds gets the same response.',
  http: 'POST /v1/social/networks/refresh',
  tool: { name: 'refresh_social_networks', openWorld: true },
  scopes: ['social:posts:publish'],
  idempotency: 'replay',
  liveOnly: true,
  output: z.object({
    data: z.array(socialNetwork),
    lastSyncedAt: isoTime,
    failures: z.array(
      z.object({
        channelId: z.string(),
        accountRef: z.string().nullable(),
        code: z.string().describe('provider_timeout, provider_error, provider_limited or account_disconnected.'),
        message: z.string(),
      }),
    ),
  }),
  emits: ['social.network.disconnected'],
  audit: { action: 'social.network.refresh', target: () => ({ kind: 'social_network', id: 'all' }) },
  fixture: async () => ({}),

  async prepare(ctx) {
    const lastRefresh = await ctx.read(({ trx }) => refreshRows.findBy(trx, {}));
    if (lastRefresh !== undefined && lastRefresh.synced_at > ctx.now - minIntervalMs) return undefined;
    // A dry run does not call networks.
    return ctx.dryRun ? undefined : queryNetworks(ctx);
  },

  async handler(ctx, _input, networkReplies) {
    const lastRefresh =
      networkReplies === undefined ? await refreshRows.findBy(ctx.trx, {}) : await storeReplies(ctx, networkReplies);
    const rows = await listAccounts(ctx.trx);
    return {
      data: rows.map((row) => showNetwork(ctx, row)),
      lastSyncedAt: toIsoTime(lastRefresh?.synced_at ?? ctx.now),
      failures: (lastRefresh?.failures ?? []).map((failure) => ({ ...failure })),
    };
  },
});
