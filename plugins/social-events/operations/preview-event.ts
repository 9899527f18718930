import { defineOperation } from '../../../core/index.ts';
import { captionsOf, composedChannels, contentOf, eventOf } from '../captions.ts';
import { previewBody, previewResponse } from '../schema.ts';
import { badVariables, builtIn, release, unknownEvent } from './fixture-rows.ts';

export const previewEvent = defineOperation({
  id: 'social_events.preview',
  summary: 'Preview the posts of an event',
  description:
    'The text for each channel, its length as the network counts it, and its problems. Nothing is stored. Attachments, settings and accounts are not checked; a trigger with outcome preview checks them.',
  http: 'POST /v1/social/transactional/preview',
  tool: 'preview_social_event',
  scopes: ['social:posts:read'],
  idempotency: 'read',
  input: { body: previewBody },
  output: previewResponse,
  errors: ['social_event_not_found', 'variables_invalid'],
  fixture: async () => ({
    body: release,
    foreign: { body: { eventKey: builtIn } },
    errors: { social_event_not_found: unknownEvent, variables_invalid: badVariables },
  }),

  async handler(ctx, { body }) {
    const event = eventOf(body.eventKey);
    const variables = ctx.services.socialEventWordings.accept(event, body.variables);
    const channels = body.channels ?? composedChannels(ctx);
    if (channels.length === 0) return { eventKey: event.eventKey, captions: [] };
    return { eventKey: event.eventKey, captions: captionsOf(ctx, contentOf(ctx, event, channels, variables)) };
  },
});
