import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'events:write',
    description: 'Tell of events of your own, which wake sequences and go to webhooks.',
    presets: ['send'],
  },
]);
