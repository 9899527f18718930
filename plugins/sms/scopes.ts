import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'messaging.transactional.read',
    description: 'See the SMS templates, what was sent as SMS, to whom, and what became of it.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'messaging.transactional.send',
    description: 'Send transactional SMS, and record the consents that it needs.',
    presets: ['send'],
  },
]);
