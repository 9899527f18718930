import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'sequences:read', description: 'See sequences and their runs.', presets: ['read', 'author', 'send'] },
  {
    scope: 'sequences:write',
    description:
      'Create and change sequences; publish, pause and archive them. Publishing also needs the scope of each node: to send email, templates:send.',
    presets: ['author'],
  },
  { scope: 'sequences:trigger', description: 'Enrol contacts; move and cancel runs.', presets: ['send'] },
  { scope: 'flows:enroll', description: 'Enrol contacts.', presets: ['send'] },
]);
