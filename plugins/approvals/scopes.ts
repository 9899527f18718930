import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'approvals:read',
    description: 'See policies and requests for approval.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'approvals:submit',
    description: 'Ask people for an approval, and withdraw such a request.',
    // The preset `send` publishes social posts. If a policy holds them, the key must be able to follow and withdraw its requests.
    presets: ['send', 'author'],
  },
  {
    scope: 'approvals:write',
    description: 'Decide on requests, withdraw any, set policies.',
    risk: 'It can decide in place of the people that you chose.',
  },
]);
