import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  connector_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no connector with this id. GET /v1/connectors lists its connectors.',
    message: (details: { id: string }) =>
      `There is no connector ${details.id}. GET /v1/connectors lists those there are.`,
  },
});
