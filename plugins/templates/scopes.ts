import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'templates:read',
    description: 'See templates, the variables that they need, and previews.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'templates:write',
    description: 'Create, edit, publish and archive templates.',
    risk: 'The next mails are sent with its changes.',
  },
  {
    scope: 'templates:propose',
    description: 'Propose changes of templates, on which members decide.',
    presets: ['author'],
  },
  {
    scope: 'templates:send',
    description: 'Send mail from templates.',
    risk: 'Mail reaches real people and cannot be called back.',
    implies: ['sends:read'],
    presets: ['send'],
  },
]);
