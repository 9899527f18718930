import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'keys:read', description: 'See which API keys exist. Never their secrets.', presets: ['read', 'author'] },
]);
