import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'links:read',
    description: 'See short links, their clicks, and QR codes.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'links:write',
    description: 'Create, change and archive short links and QR codes.',
    presets: ['send', 'author'],
  },
]);
