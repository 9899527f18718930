import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  blog_post_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no blog post with this id or slug. GET /v1/blog/posts lists its posts.',
    message: (details: { id: string }) =>
      `There is no blog post ${details.id}. GET /v1/blog/posts lists those there are.`,
  },
});
