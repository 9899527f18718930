import { defineOperation, listOf } from '../../../core/index.ts';
import { listAccounts } from '../networks/disconnect.ts';
import { showNetwork } from '../present.ts';
import { socialNetwork } from '../resources.ts';
import { someAccount } from './fixture-rows.ts';

export const listNetworks = defineOperation({
  id: 'social.networks',
  summary: 'List the connected networks',
  description:
    'The company accounts on social networks, as the last refresh found them; empty until a first refresh. The program connects networks.',
  http: 'GET /v1/social/networks',
  tool: 'list_social_networks',
  scopes: ['social:posts:read'],
  idempotency: 'read',
  output: listOf(socialNetwork),
  fixture: async () => ({}),
  item: someAccount,

  async handler(ctx) {
    const rows = await listAccounts(ctx.trx);
    return { data: rows.map((row) => showNetwork(ctx, row)), next_cursor: null };
  },
});
