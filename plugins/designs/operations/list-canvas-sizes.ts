import { defineOperation, listOf, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { canvasSizes } from '../sizes.ts';

export const listCanvasSizes = defineOperation({
  id: 'designs.sizes',
  summary: 'List canvas sizes',
  description: 'The sizes that channels ask for. A new composition takes one as cropPresetId, or any width and height.',
  http: 'GET /v1/compositions/sizes',
  tool: 'list_canvas_sizes',
  scopes: ['compositions:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(
    z.object({
      cropPresetId: z.string(),
      name: z.string(),
      width: z.int().describe('In px.'),
      height: z.int(),
      channelId: z.string().describe('The channel that asks for it; web for link previews.'),
    }),
  ),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: 'skipped: the sizes come with the service; shown in test/plugins/designs.test.ts',

  async handler(_, { query }) {
    const { data, next_cursor } = pageOfItems('designs.sizes', canvasSizes, query, ({ cropPresetId }) => cropPresetId);
    return { data: data.map((size) => ({ ...size })), next_cursor };
  },
});
