import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  broadcast_not_found: notFound('broadcast', 'GET /v1/broadcasts'),
  broadcast_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'The broadcast cannot be sent as it is; details has one entry for each fault, with what to do.',
    message: (details: { faults: number; first: string }) =>
      details.faults === 1
        ? `The broadcast cannot be sent yet: ${details.first}`
        : `The broadcast cannot be sent yet, for ${details.faults} reasons. The first: ${details.first}`,
  },
});
