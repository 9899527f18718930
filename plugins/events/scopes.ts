import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'events:write',
    description: 'Report events of your product, which start sequences and are sent to webhooks.',
    risk: 'An event can start sequences, and these send messages.',
    presets: ['send'],
  },
]);
