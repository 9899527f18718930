import { defineOperationWithPrepare, z } from '../../../core/index.ts';
import { renderText } from '../../../core/unstable.ts';
import { checkAuthor } from '../authors.ts';
import { changePost } from '../change-post.ts';
import { showPost } from '../present.ts';
import { postFields, postParams, postResource } from '../schema.ts';
import { slugInput } from '../slug.ts';
import { lockPost } from '../store.ts';
import { foreignParts, pendingAsset, slugOf, somePost } from './fixture-rows.ts';

const { title, body, excerpt, tags, coverAssetId, authorUid, language, seo } = postFields;

export const updatePost = defineOperationWithPrepare({
  id: 'blog.update',
  summary: 'Change a blog post',
  description:
    'Changes the working copy; visitors see it once it is published. Missing fields stay, null clears a field, tags replaces the whole list.',
  http: 'PATCH /v1/blog/posts/{idOrSlug}',
  tool: 'update_blog_post',
  scopes: ['pages:write'],
  idempotency: 'replay',
  input: {
    params: postParams,
    body: z.object({
      title: title.optional(),
      body: body.optional(),
      slug: slugInput.optional().describe('In use from the next publish on. The old slug redirects for 400 days.'),
      excerpt: excerpt.nullable().optional(),
      tags: tags.optional(),
      coverAssetId: coverAssetId.nullable().optional(),
      authorUid: authorUid.nullable().optional(),
      language: language.nullable().optional(),
      seo: z.strictObject({ title: seo.title.optional(), description: seo.description.optional() }).optional(),
    }),
  },
  output: postResource,
  errors: ['blog_post_not_found', 'slug_taken', 'asset_not_found', 'asset_invalid'],
  emits: ['approval.decided'],
  audit: { action: 'blog.post.update', target: ({ id }) => ({ kind: 'blog_post', id }) },
  fixture: async (kit) => ({
    params: { idOrSlug: await somePost(kit, kit.workspaceId) },
    body: { title: 'Two weeks away', tags: ['sourdough', 'fridge'] },
    foreign: {
      params: { idOrSlug: await somePost(kit, kit.foreignWorkspaceId) },
      body: { ...(await foreignParts(kit)), authorUid: 'skipped: members belong to the program, not to a workspace' },
    },
    errors: {
      slug_taken: async (own) => ({ body: { slug: await slugOf(own) } }),
      asset_not_found: async () => ({ body: { coverAssetId: 'asset_01ARZ3NDEKTSV4RRFFQ69G5FAV' } }),
      asset_invalid: async (own) => ({ body: { coverAssetId: await pendingAsset(own, own.workspaceId) } }),
    },
  }),

  async prepare(ctx, { body: { body: source, authorUid: uid } }) {
    await checkAuthor(ctx, uid);
    return source === undefined ? undefined : renderText('body', source);
  },

  async handler(ctx, { params, body: changes }, text) {
    const row = await lockPost(ctx.trx, params.idOrSlug);
    return showPost(ctx, await changePost(ctx, row, changes, text));
  },
});
