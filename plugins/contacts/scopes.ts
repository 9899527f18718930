import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'contacts:read', description: 'See contacts, their attributes and their timelines.' },
  { scope: 'contacts:write', description: 'Create, change and erase contacts.' },
]);
