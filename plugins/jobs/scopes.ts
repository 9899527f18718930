import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'jobs:read',
    description: 'See which jobs failed or wait for another attempt. Never their contents.',
    presets: ['read', 'author'],
  },
  { scope: 'jobs:manage', description: 'Let failed jobs run again.' },
]);
