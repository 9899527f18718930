import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'sends:read',
    description: 'See what was sent, to whom, and what became of it.',
    presets: ['read', 'send', 'author'],
  },
]);
