import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'audit:read',
    description: 'See who changed what in the last 90 days.',
    presets: ['read', 'author'],
  },
]);
