import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'suppressions:read',
    description: 'See which addresses get no mail, and why.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'suppressions:write',
    description: 'Put addresses on the list of those that get no mail, and take them off.',
    risk: 'An address that it takes off the list gets mail again.',
  },
  {
    scope: 'suppressions:bypass',
    description: 'Send to suppressed addresses, except after a complaint. Audited.',
    risk: 'People who unsubscribed get mail.',
  },
]);
