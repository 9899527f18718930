import { defineList } from '../../../core/index.ts';
import { approvalsOf, presentPost } from '../present.ts';
import { postStatus, postSummary, tag } from '../schema.ts';
import { summaryRows } from '../tables.ts';
import { somePost } from './fixture-rows.ts';

export const listPosts = defineList({
  id: 'blog.list',
  summary: 'List blog posts',
  description: 'Newest first, without their texts.',
  http: 'GET /v1/blog/posts',
  tool: 'list_blog_posts',
  scopes: ['pages:read'],
  rows: summaryRows,
  item: postSummary,
  filters: {
    status: postStatus.optional().describe('Only posts of this status.'),
    tag: tag.optional().describe('Only posts whose working copy has this tag.'),
  },
  customFilters: ['tag'],
  conditions:
    ({ tag: filterTag }) =>
    (columns) =>
      filterTag === undefined
        ? []
        : [columns('id', 'in', columns.selectFrom('blog_tags').select('post_id').where('tag', '=', filterTag))],
  load: (ctx, posts) =>
    approvalsOf(
      ctx,
      posts.map(({ id }) => id),
    ),
  present: (row, ctx, approvals) => presentPost(ctx, row, approvals.get(row.id)),
  exampleRow: somePost,
});
