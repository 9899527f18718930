import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'social:posts:read',
    description: 'See the connected networks, social posts and their metrics.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'social:posts:write',
    description: 'Write, change and delete social posts that are not public.',
    presets: ['send', 'author'],
  },
  {
    scope: 'social:posts:publish',
    description: 'Publish and schedule social posts, delete them on the networks, and refresh the connected networks.',
    risk: 'Everybody can see its posts, and it can delete yours.',
    implies: ['social:posts:write'],
    presets: ['send'],
  },
]);
