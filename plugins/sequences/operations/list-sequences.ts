import { defineList, z } from '../../../core/index.ts';
import { loadViewData, presentSequence } from '../present.ts';
import { sequenceResource, sequenceStatus } from '../schema.ts';
import { sequenceHeads } from '../tables.ts';
import { someSequence } from './fixture-rows.ts';

export const listSequences = defineList({
  id: 'sequences.list',
  summary: 'List sequences',
  description: "Published ones, newest first, or those of another status. Counts are those of the caller's side.",
  http: 'GET /v1/sequences',
  tool: 'list_sequences',
  scopes: ['sequences:read'],
  rows: sequenceHeads,
  item: sequenceResource,
  filters: {
    status: sequenceStatus.default('published').describe('(Default: published)'),
    publishedBy: z.string().min(1).max(100).optional().describe('The id of the key that published the version.'),
  },
  load: (ctx, shown) =>
    loadViewData(
      ctx,
      shown.map(({ id }) => id),
    ),
  present: (row, _, shown) => presentSequence(row, shown),
  async exampleRow(kit, workspaceId) {
    const keyOrId = await someSequence(kit, workspaceId);
    return String((await kit.call('sequences.read', { keyOrId }, workspaceId))['id']);
  },
});
