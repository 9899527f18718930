import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'audit:read',
    description: 'See the changes of the last 90 days and their actors.',
    presets: ['read', 'author'],
  },
]);
