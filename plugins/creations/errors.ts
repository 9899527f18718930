import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  creation_not_found: notFound('creation', 'GET /v1/creations'),
  creation_item_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The creation has no item with this id.',
    message: (details: { id: string; creationId: string }) =>
      `The creation ${details.creationId} has no item ${details.id}. GET /v1/creations/${details.creationId}?detail=full lists its items.`,
  },
});
