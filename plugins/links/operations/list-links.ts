import { defineList, z } from '../../../core/index.ts';
import { totalsOf } from '../present.ts';
import { linkResource } from '../schema.ts';
import { linkConditions } from '../store.ts';
import { linkRows } from '../tables.ts';
import { someLink } from './fixture-rows.ts';

export const listLinks = defineList({
  id: 'links.list',
  summary: 'List short links',
  description:
    'Newest first, each with the counts of its clicks. Archived ones are left out unless includeArchived is true. With search or tag, a result can be empty and have a next_cursor: older links may match.',
  http: 'GET /v1/links',
  tool: 'list_short_links',
  scopes: ['links:read'],
  rows: linkRows,
  item: linkResource,
  filters: {
    limit: z.coerce.number().int().min(1).max(500).default(100).describe('How many links a page holds, 1 to 500.'),
    includeArchived: z.stringbool().default(false),
    search: z.string().min(1).max(100).optional().describe('Part of the slug, the label or the destination.'),
    tag: z.string().min(1).max(50).optional().describe('Only links with this tag.'),
    campaignId: z.string().min(1).max(100).optional(),
  },
  customFilters: ['limit', 'includeArchived', 'search', 'tag'],
  scannedFilters: ['search', 'tag'],
  conditions: linkConditions,
  load: (ctx, shown) =>
    totalsOf(
      ctx.trx,
      shown.map(({ id }) => id),
    ),
  present: (row, ctx, totals) => ctx.services.links.presentOne(row, totals.get(row.id), ctx.now),
  exampleRow: someLink,
  async foreign(kit) {
    const campaignId = kit.unique('spring');
    const link = { destinationUrl: 'https://example.com/spring', campaignId };
    await kit.call('links.create', link, kit.foreignWorkspaceId);
    return { campaignId };
  },
});
