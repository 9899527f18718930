import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  { scope: 'campaigns:read', description: 'See planned emails.', presets: ['read', 'author'] },
  { scope: 'campaigns:write', description: 'Plan emails, change the plan and cancel it.', presets: ['author'] },
]);
