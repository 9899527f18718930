import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'sends:read',
    description: 'See sent mail, its recipients and its status.',
    presets: ['read', 'send', 'author'],
  },
]);
