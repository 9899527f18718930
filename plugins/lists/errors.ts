import { defineErrors, namesOf, notFound, type Reference } from '../../core/index.ts';

export const errors = defineErrors({
  list_not_found: notFound('list', 'GET /v1/lists'),
  list_name_taken: {
    status: 409,
    type: 'conflict_error',
    description: 'Another list of the workspace has this name. Choose another name, or use that list.',
    message: (details: { name: string; id: string }) =>
      `The list ${details.id} has the name ${JSON.stringify(details.name)} already. Use it, or choose another name.`,
  },
  list_in_use: {
    status: 409,
    type: 'conflict_error',
    description:
      'A published sequence or page, a segment, a broadcast that is not final, or the defaults of campaigns, use the list. Remove it there first.',
    message: (details: { id: string; users: readonly Reference[] }) =>
      `The list ${details.id} is used by ${namesOf(details.users)}. Remove it there first.`,
  },
});
