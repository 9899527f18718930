import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'campaigns:read',
    description: 'See planned emails, the content plan and creations.',
    presets: ['read', 'author'],
  },
  {
    scope: 'campaigns:write',
    description: 'Plan emails and weeks of content, vote on news, and run creations.',
    presets: ['author'],
  },
]);
