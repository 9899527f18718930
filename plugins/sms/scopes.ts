import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'messaging.transactional.read',
    description: 'See the SMS templates, and sent SMS with their recipients and status.',
    presets: ['read', 'send', 'author'],
  },
  {
    scope: 'messaging.transactional.send',
    description: 'Send transactional SMS, and record the consents that it needs.',
    risk: 'SMS reach real phones, cost money and cannot be called back.',
    presets: ['send'],
  },
]);
