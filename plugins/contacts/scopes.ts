import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'contacts:read',
    description: 'See contacts, their attributes and their timelines.',
    presets: ['read', 'send', 'author'],
  },
  { scope: 'contacts:write', description: 'Create and change contacts.', presets: ['send', 'author'] },
  { scope: 'contacts:erase', description: 'Erase contacts and all personal data of theirs. Cannot be undone.' },
]);
