import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  domain_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no such sending domain. Add it with service.domains.create.',
    message: (details: { domain: string }) => `The workspace has no domain ${details.domain}. Create it first.`,
  },
});
