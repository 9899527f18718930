import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'templates:read',
    description: 'See templates, their contracts and previews.',
    presets: ['read', 'send', 'author'],
  },
  { scope: 'templates:write', description: 'Create, edit, publish and archive templates.' },
  {
    scope: 'templates:propose',
    description: 'Propose changes of templates, on which members decide.',
    presets: ['author'],
  },
  { scope: 'templates:send', description: 'Send mail from templates.', implies: ['sends:read'], presets: ['send'] },
]);
