import { defineList } from '../../../core/index.ts';
import { showNetwork } from '../present.ts';
import { socialNetwork } from '../resources.ts';
import { accountRows } from '../tables.ts';
import { someAccount } from './fixture-rows.ts';

export const listNetworks = defineList({
  id: 'social.networks',
  summary: 'List the connected networks',
  description:
    'The company accounts on social networks, as the last refresh found them; empty until a first refresh. The program connects networks.',
  http: 'GET /v1/social/networks',
  tool: 'list_social_networks',
  scopes: ['social:posts:read'],
  rows: accountRows,
  item: socialNetwork,
  present: (row, ctx) => showNetwork(ctx, row),
  exampleRow: someAccount,
});
