import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  webhook_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no webhook subscription with this id.',
    message: (details: { id: string }) => `There is no webhook ${details.id}.`,
  },
  webhook_delivery_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no webhook delivery with this id. Deliveries are kept for 30 days.',
    message: (details: { id: string }) =>
      `There is no webhook delivery ${details.id}. Deliveries are kept for 30 days.`,
  },
  webhook_url_refused: {
    status: 422,
    type: 'validation_error',
    description:
      'The URL may not be called: it is not https, holds credentials, or leads to an address that is not public.',
    message: (details: { reason: string }) => `The webhook cannot be sent to this url: ${details.reason}`,
  },
  webhooks_console_access_denied: {
    status: 401,
    type: 'authentication_error',
    description: "The program's own sign-in lets this caller see no webhooks. Sign in to the program, then reload.",
    message: () => 'You may not see these webhooks. Sign in to the application that runs them, then reload.',
  },
  webhooks_console_not_local: {
    status: 403,
    type: 'permission_error',
    description:
      'Without authorize, the page of webhooks answers requests from the machine it runs on. Open it under localhost, or give its options an authorize function.',
    message: (details: { reason: string }) =>
      `${details.reason} Without a sign-in, this page is for this machine only: open it under http://localhost, or configure access with webhooksPlugin({ console: { authorize } }).`,
  },
  webhooks_console_cross_site: {
    status: 403,
    type: 'permission_error',
    description: 'A page of another site asked. This page answers itself, and programs that are no browsers.',
    message: () => 'A page of another site sent this request. This page answers itself only.',
  },
});
