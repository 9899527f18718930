import { defineErrors, namesOf, type Reference } from '../../core/index.ts';

export const errors = defineErrors({
  topic_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no topic with this key. GET /v1/topics lists its topics.',
    message: (details: { key: string }) =>
      `There is no topic ${JSON.stringify(details.key)}. GET /v1/topics lists the existing ones.`,
  },
  topic_in_use: {
    status: 409,
    type: 'conflict_error',
    description: 'A template, a broadcast or a segment names the topic. Remove it there first.',
    message: (details: { key: string; users: readonly Reference[] }) =>
      `The topic ${details.key} is used by ${namesOf(details.users)}. Remove it there first.`,
  },
});
