import { defineOperation, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { composedChannels } from '../captions.ts';
import { kit } from '../kit/kit.ts';
import { kitResponse } from '../schema.ts';

export const browseKit = defineOperation({
  id: 'social_events.kit',
  summary: 'List the events that become social posts',
  description:
    'The product events that templates turn into posts, with the contract of their variables and their default channels.',
  http: 'GET /v1/social/transactional/catalog',
  tool: 'browse_social_event_kit',
  scopes: ['social:posts:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: kitResponse,
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: 'skipped: the events come with the service',

  async handler(ctx, { query }) {
    const channels = composedChannels(ctx);
    const page = pageOfItems('social_events.kit', kit, query, ({ eventKey }) => eventKey);
    const data = page.data.map(({ eventKey, name, description, variables }) => ({
      ...{ eventKey, name, description, variables: { ...variables }, channels },
      defaultOutcome: 'draft' as const,
    }));
    return { data, next_cursor: page.next_cursor };
  },
});
