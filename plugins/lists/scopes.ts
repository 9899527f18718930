import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'lists:read', description: 'See lists and their members.', presets: ['read', 'author'] },
  {
    scope: 'lists:write',
    description: 'Create, change and delete lists; add and remove members.',
    risk: 'New members may get a mail that asks them to confirm, and the messages of sequences.',
    presets: ['author'],
  },
]);
