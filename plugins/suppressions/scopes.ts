import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'suppressions:read',
    description: 'See which addresses get no mail, and why.',
    presets: ['read', 'send', 'author'],
  },
  { scope: 'suppressions:write', description: 'Put addresses on the suppression list and take them off.' },
  { scope: 'suppressions:bypass', description: 'Send to suppressed addresses, except after a complaint. Audited.' },
]);
