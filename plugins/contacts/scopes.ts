import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'contacts:read',
    description: 'See contacts, their attributes and their timelines.',
    presets: ['read', 'send', 'author'],
  },
  { scope: 'contacts:write', description: 'Create and change contacts.', presets: ['send', 'author'] },
  {
    scope: 'contacts:erase',
    description: 'Erase contacts and all their personal data. Cannot be undone.',
    risk: 'Erased people cannot be brought back.',
  },
  {
    scope: 'contacts:export',
    description: 'Export everything that is stored about a person.',
    risk: 'An export holds all personal data of a person, from all areas.',
  },
]);
