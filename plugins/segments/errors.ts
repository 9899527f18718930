import { defineErrors, namesOf, type Reference } from '../../core/index.ts';

export const errors = defineErrors({
  segment_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no segment with this id. GET /v1/segments lists its segments.',
    message: (details: { id: string }) =>
      `There is no segment ${details.id}. GET /v1/segments lists the existing ones.`,
  },
  segment_in_use: {
    status: 409,
    type: 'conflict_error',
    description:
      'The segment is used by a published sequence, a broadcast that is not final or another segment. Remove it there first.',
    message: (details: { id: string; users: readonly Reference[] }) =>
      `The segment ${details.id} is used by ${namesOf(details.users)}. Remove it there first.`,
  },
});
