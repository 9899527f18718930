import { defineOperation, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { kit } from '../kit/kit.ts';
import { templatesResponse } from '../schema.ts';
import { builtIn } from './fixture-rows.ts';

export const listTemplates = defineOperation({
  id: 'social_events.templates',
  summary: 'List the templates of social events',
  description: 'The caption of each event on each channel. The program can configure wording of its own.',
  http: 'GET /v1/social/transactional/templates',
  tool: 'list_social_event_templates',
  scopes: ['social:posts:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      eventKey: z.string().max(100).optional().describe('Only templates of this event.'),
    }),
  },
  output: templatesResponse,
  errors: ['cursor_invalid'],
  fixture: async () => ({ query: { eventKey: 'release_published' }, foreign: { query: { eventKey: builtIn } } }),
  exampleRow: 'skipped: the templates come with the service, or with the program',

  async handler({ services }, { query }) {
    const { eventKey } = query;
    const { socialChannels: channels, socialEventWordings: wordings } = services;
    const templates = kit
      .filter((event) => eventKey === undefined || event.eventKey === eventKey)
      .flatMap((event) =>
        channels.ids.map((channelId) => {
          const { caption, hashtags, wording } = wordings.of(event, channelId);
          const templateId = `${event.eventKey}.${channelId}`;
          return { templateId, eventKey: event.eventKey, channelId, caption, hashtags: [...hashtags], wording };
        }),
      );
    return pageOfItems('social_events.templates', templates, query, ({ templateId }) => templateId);
  },
});
