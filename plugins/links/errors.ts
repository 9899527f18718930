import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  link_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no short link with this id, or it lies on the other side of the sandbox.',
    message: (details: { id: string }) => `There is no short link ${details.id}. GET /v1/links lists those there are.`,
  },
  domain_not_allowed: {
    status: 422,
    type: 'validation_error',
    description:
      'The domain is no short domain of this workspace. Leave it out for the default one; the program adds others with service.links.addDomain.',
    message: (details: { domain: string; allowed: readonly string[] }) =>
      `Links of this workspace cannot have the domain ${details.domain}. Leave it out, or use one of: ${details.allowed.join(', ')}.`,
  },
  links_console_access_denied: {
    status: 401,
    type: 'authentication_error',
    description: "The program's own sign-in lets this caller see no links. Sign in to the program, then reload.",
    message: () => 'You may not see these links. Sign in to the application that runs them, then reload.',
  },
  links_console_not_local: {
    status: 403,
    type: 'permission_error',
    description:
      'Without authorize, the page of links answers requests from the machine it runs on. Open it under localhost, or give its options an authorize function.',
    message: (details: { reason: string }) =>
      `${details.reason} Without a sign-in, this page is for this machine only: open it under http://localhost, or configure access with linksPlugin({ console: { authorize } }).`,
  },
  links_console_cross_site: {
    status: 403,
    type: 'permission_error',
    description: 'A page of another site asked. This page answers itself, and programs that are no browsers.',
    message: () => 'A page of another site sent this request. This page answers itself only.',
  },
});
