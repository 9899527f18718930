import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'sequences:read', description: 'See sequences and their runs.', presets: ['read', 'author', 'send'] },
  {
    scope: 'sequences:write',
    description: 'Create and change sequences; publish, pause and archive them.',
    risk: 'A sequence that it publishes or resumes sends messages to its contacts.',
    presets: ['author'],
  },
  {
    scope: 'sequences:trigger',
    description: 'Put contacts into sequences; move and stop their runs.',
    risk: 'Contacts in a sequence get its messages.',
    presets: ['send'],
  },
  {
    scope: 'flows:enroll',
    description: 'Put contacts into sequences.',
    risk: 'Contacts in a sequence get its messages.',
    presets: ['send'],
  },
]);
