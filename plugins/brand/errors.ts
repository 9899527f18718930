import { defineErrors, namesOf, type Reference } from '../../core/index.ts';

export const errors = defineErrors({
  brand_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no brand with this id, or no brand at all. POST /v1/brand creates one.',
    message: (details: { id: string }) =>
      details.id === 'default'
        ? 'The workspace has no brand yet. POST /v1/brand creates one; the first is the default.'
        : `There is no brand ${details.id}. GET /v1/brand lists the existing ones.`,
  },
  theme_in_use: {
    status: 409,
    type: 'conflict_error',
    description: 'Templates use the theme. Change or remove their theme, or archive them first.',
    message: (details: { id: string; users: readonly Reference[] }) =>
      `The theme ${details.id} is used by ${namesOf(details.users)}. Change or remove their theme, or archive them first.`,
  },
});
