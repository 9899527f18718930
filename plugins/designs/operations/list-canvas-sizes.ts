import { defineOperation, z } from '../../../core/index.ts';
import { canvasSizes } from '../sizes.ts';

export const listCanvasSizes = defineOperation({
  id: 'designs.sizes',
  summary: 'List canvas sizes',
  description: 'The sizes that channels ask for. A new composition takes one as cropPresetId, or any width and height.',
  http: 'GET /v1/compositions/sizes',
  tool: 'list_canvas_sizes',
  scopes: ['compositions:read'],
  idempotency: 'read',
  output: z.object({
    data: z.array(
      z.object({
        cropPresetId: z.string(),
        name: z.string(),
        width: z.int().describe('In px.'),
        height: z.int(),
        channelId: z.string().describe('The channel that asks for it; web for link previews.'),
      }),
    ),
    next_cursor: z.null().describe('Always null: the list is whole.'),
  }),
  fixture: async () => ({}),
  item: 'none: the sizes come with the service; shown in test/plugins/designs.test.ts',

  async handler() {
    return { data: canvasSizes.map((size) => ({ ...size })), next_cursor: null };
  },
});
