import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'brand:read',
    description: 'See brands: their voice, colours, fonts, logos and themes.',
    presets: ['read', 'send', 'author'],
  },
  { scope: 'brand:write', description: 'Create and change brands.', presets: ['author'] },
]);
