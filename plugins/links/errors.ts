import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  link_not_found: notFound('short link', 'GET /v1/links'),
  domain_not_allowed: {
    status: 422,
    type: 'validation_error',
    description:
      'The domain is not a short domain of this workspace. Leave it out to use the default domain; the program adds others with service.links.addDomain.',
    message: (details: { domain: string; allowed: readonly string[] }) =>
      `Links of this workspace cannot have the domain ${details.domain}. Leave it out, or use one of: ${details.allowed.join(', ')}.`,
  },
});
