import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'approvals:read', description: 'See policies and requests for approval.', presets: ['read', 'author'] },
  {
    scope: 'approvals:submit',
    description: 'Ask for approvals and withdraw own requests.',
    presets: ['author'],
  },
  { scope: 'approvals:write', description: 'Decide on requests, withdraw any, set policies.' },
]);
