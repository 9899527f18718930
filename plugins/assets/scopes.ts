import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'assets:read', description: 'See assets and read their files.', presets: ['read', 'send', 'author'] },
  { scope: 'assets:write', description: 'Upload and delete assets.', presets: ['send', 'author'] },
]);
