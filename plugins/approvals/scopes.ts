import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'approvals:read',
    description: 'See policies and requests for approval.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'approvals:submit',
    description: 'Ask for approvals and withdraw own requests.',
    // Send publishes social posts: where a policy holds them, it follows its requests and can take them back.
    presets: ['send', 'author'],
  },
  { scope: 'approvals:write', description: 'Decide on requests, withdraw any, set policies.' },
]);
