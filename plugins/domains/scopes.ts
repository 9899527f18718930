import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'domains:verify',
    description: 'Look up the DNS records of a sending domain. Once they are there, mail from the domain is accepted.',
  },
]);
