import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'webhooks:manage',
    description: 'See, make, change and remove webhook subscriptions, see their deliveries and send them again.',
  },
]);
