import {
  coreErrors,
  defineOperationWithPrepare,
  heldResponse,
  noteForReviewers,
  respond,
  z,
} from '../../../core/index.ts';
import { refusePlaceholders } from '../../kit/placeholders.ts';
import { findAuthor } from '../authors.ts';
import { publicationContent } from '../content-kind.ts';
import { blogPostKindId } from '../content-kind-id.ts';
import { showPost, summaryOf } from '../present.ts';
import { publishPost as publish } from '../publish-post.ts';
import { postObject, postParams } from '../schema.ts';
import { findHead, lockPost } from '../store.ts';
import { somePost, unwrittenPost } from './fixture-rows.ts';

export const publishPost = defineOperationWithPrepare({
  id: 'blog.publish',
  summary: 'Publish a blog post',
  description:
    'Publishes the working copy, for the first time or again. Without changes, the call has no effect. The name of the author is read at this time. Sandbox posts are never public: their previewUrl shows them.',
  http: 'POST /v1/blog/posts/{idOrSlug}/publish',
  tool: { name: 'publish_blog_post', openWorld: true },
  scopes: ['pages:publish'],
  instead: { 'approvals.submit': 'ask for an approval, so that another key may publish it' },
  idempotency: 'replay',
  input: { params: postParams, body: z.object({ note: noteForReviewers }) },
  output: postObject,
  secondSuccess: heldResponse(postObject),
  contentKind: blogPostKindId,
  errors: [
    'blog_post_not_found',
    'asset_not_found',
    'asset_invalid',
    'state_conflict',
    'placeholders_left',
    'limit_reached',
  ],
  emits: ['blog_post.published', 'approval.requested', 'approval.decided'],
  audit: { action: 'blog.post.publish', target: ({ id }) => ({ kind: 'blog_post', id }) },
  fixture: async (kit) => ({
    params: { idOrSlug: await somePost(kit, kit.workspaceId) },
    body: {},
    foreign: { idOrSlug: await somePost(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({
        params: { idOrSlug: String((await own.call('blog.create', { title: 'Empty' }))['id']) },
      }),
      placeholders_left: async (own) => ({ params: { idOrSlug: await unwrittenPost(own) } }),
      asset_not_found: 'unreachable here: shown in test/plugins/blog.test.ts',
      asset_invalid: 'unreachable: a post takes no asset that is not ready',
      limit_reached: 'unreachable here: shown in test/plugins/approvals.test.ts',
    },
  }),

  async prepare(ctx, { params }) {
    const head = await ctx.read(({ trx }) => findHead(trx, params.idOrSlug));
    return typeof head?.author_uid === 'string' ? findAuthor(ctx, head.author_uid) : undefined;
  },

  async handler(ctx, { params }, author) {
    const post = await lockPost(ctx.trx, params.idOrSlug);
    if (post.body.trim() === '')
      throw coreErrors.state_conflict({
        reason: `The post ${post.id} has no text yet. Give it a body first.`,
      });
    const { title, excerpt, body, seo, tags } = post;
    refusePlaceholders('The post', { title, excerpt, body, seo, tags });
    // Sandbox posts never become public, so no decision is needed.
    const approval = ctx.sandbox
      ? undefined
      : await ctx.requireDecision(post.id, { content: async () => publicationContent(post) });
    if (approval !== undefined) return respond(202, { ...(await showPost(ctx, post)), approval });
    const after = await publish(ctx, post, author);
    ctx.note({ version: after.version });
    if (after !== post) ctx.emit('blog_post.published', await summaryOf(ctx, after));
    return showPost(ctx, after);
  },
});
