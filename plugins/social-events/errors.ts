import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  social_event_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'There is no social event with this key. GET /v1/social/transactional/catalog lists the events.',
    message: (details: { eventKey: string; suggestion: string }) =>
      `There is no built-in event ${details.eventKey}.${details.suggestion} GET /v1/social/transactional/catalog lists the existing ones.`,
  },
  account_missing: {
    status: 422,
    type: 'validation_error',
    description: "No account is connected on any of the event's default channels. Connect one, or name channels.",
    message: ({ eventKey, channels }: { eventKey: string; channels: readonly string[] }) =>
      channels.length === 0
        ? `None of the default channels of ${eventKey} is configured. Name the channels.`
        : `${eventKey} goes to ${channels.join(', ')} by default, and no account is connected there. Connect one, or name the channels.`,
  },
});
