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
    description:
      'The workspace has no webhook delivery with this id. Check the id; old deliveries are removed, by default after 30 days.',
    message: (details: { id: string }) =>
      `There is no webhook delivery ${details.id}. Old deliveries are removed, by default after 30 days.`,
  },
  webhook_url_refused: {
    status: 422,
    type: 'validation_error',
    description:
      'The URL may not be called: it is not https, contains credentials, or leads to an address that is not public.',
    message: (details: { reason: string }) => `The webhook cannot be sent to this url: ${details.reason}`,
  },
});
