import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'assets:read',
    description: 'See and download stored pictures and files.',
    presets: ['read', 'send', 'author'],
  },
  { scope: 'assets:write', description: 'Upload and delete stored pictures and files.', presets: ['send', 'author'] },
]);
