import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'topics:read',
    description: 'See the topics of marketing mail.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'topics:write',
    description: 'Create, change and delete the topics of marketing mail.',
    risk: 'Recipients see a public topic on their page of preferences.',
    presets: ['author'],
  },
]);
