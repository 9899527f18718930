import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'webhooks:manage',
    description: 'Send events to other systems: create, change and remove webhooks, and repeat their deliveries.',
    risk: 'Events, with personal data, go to the addresses that it names.',
  },
]);
