import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  blog_post_not_found: notFound(
    'blog post',
    'GET /v1/blog/posts',
    'The workspace has no blog post with this id or slug. GET /v1/blog/posts lists its posts.',
  ),
});
