import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'keys:manage',
    description: 'End the access of other programs that act for members.',
    risk: 'It can cut off programs that your team relies on.',
  },
]);
