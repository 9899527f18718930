import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  key_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no API key with this id.',
    message: (facts: { id: string }) => `There is no API key ${facts.id}.`,
  },
});
