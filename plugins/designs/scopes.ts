import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'compositions:read', description: 'See designs and render them.', presets: ['read', 'author'] },
  { scope: 'compositions:write', description: 'Create, change and delete designs.', presets: ['author'] },
]);
