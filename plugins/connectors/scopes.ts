import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'connectors:read',
    description: 'See which accounts with providers a workspace uses. Never their credentials.',
    presets: ['read', 'author'],
  },
]);
