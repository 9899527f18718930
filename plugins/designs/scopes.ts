import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'compositions:read', description: 'See designs and make pictures of them.', presets: ['read', 'author'] },
  { scope: 'compositions:write', description: 'Create, change and delete designs.', presets: ['author'] },
]);
