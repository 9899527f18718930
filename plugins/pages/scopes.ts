import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'pages:read', description: 'See pages, blog posts and lead magnets.', presets: ['read', 'author'] },
  {
    scope: 'pages:write',
    description: 'Create, compose and change pages, blog posts and lead magnets.',
    presets: ['author'],
  },
  {
    scope: 'pages:publish',
    description: 'Publish pages and blog posts, and take them offline.',
    risk: 'Everybody can see what it publishes.',
    presets: ['author'],
  },
  { scope: 'pages:export', description: 'Export lead magnets as PDF.', presets: ['author'] },
]);
