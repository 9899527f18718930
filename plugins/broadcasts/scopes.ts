import { defineScopes } from '../../core/index.ts';

/** The scope `broadcasts:send` belongs to the plugin reputation, which this one requires. */
export const scopes = defineScopes([
  {
    scope: 'broadcasts:read',
    description: 'See broadcasts, their counts and their reports.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'broadcasts:write',
    description: 'Create, change and delete drafts of broadcasts.',
    presets: ['author'],
  },
]);
