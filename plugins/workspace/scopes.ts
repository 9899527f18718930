import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'workspace:read',
    description: 'See the workspace: its plan, limits, usage and members.',
    presets: ['read', 'send', 'author'],
  },
]);
