import { defineOperationWithPrepare } from '../../../core/index.ts';
import { checkMember } from '../content/members.ts';
import { updateBody } from '../input.ts';
import { changePost } from '../post/change-post.ts';
import { lockPost } from '../post/find-post.ts';
import { showPost } from '../present.ts';
import { problemsNotice } from '../problems/notice.ts';
import { socialPost } from '../resources.ts';
import { foreignContent, postIn, someHold, somePost, somePostBody, testedElsewhere } from './fixture-rows.ts';
import { postParams } from './read-post.ts';

export const updatePost = defineOperationWithPrepare({
  id: 'social.post_update',
  summary: 'Change a social post',
  description:
    'Updates a draft or a ready post. It is checked again, and a pending approval request for its earlier content is withdrawn. Missing fields stay; channelCaptions, channelSettings and targetAccountRefs are replaced as a whole. A placeholder post (hold) that has a text or an attachment and no problem becomes a post.',
  http: 'PATCH /v1/social/posts/{postId}',
  tool: { name: 'update_social_post', notice: problemsNotice },
  scopes: ['social:posts:write'],
  idempotency: 'replay',
  input: { params: postParams, body: updateBody },
  output: socialPost,
  errors: [
    'post_not_found',
    'state_conflict',
    'schedule_at_invalid',
    'account_not_found',
    'account_ambiguous',
    'asset_not_found',
    'asset_invalid',
  ],
  emits: ['approval.decided'],
  audit: { action: 'social.post.update', target: ({ id }) => ({ kind: 'social_post', id }) },
  fixture: async (kit) => ({
    params: { postId: await somePost(kit, kit.workspaceId) },
    body: { caption: 'Acme 2.0 is here, with a faster editor and offline mode.' },
    foreign: { params: { postId: await somePost(kit, kit.foreignWorkspaceId) }, body: await foreignContent(kit) },
    errors: {
      state_conflict: async () => ({ params: { postId: await postIn(kit, 'published') } }),
      schedule_at_invalid: async () => ({
        params: { postId: await someHold(kit) },
        body: { plannedAt: '2020-01-01T00:00:00Z' },
      }),
      account_not_found: async () => {
        const { channels } = await somePostBody(kit);
        return { body: { targetAccountRefs: { [channels[0] ?? '']: 'soa_01ARZ3NDEKTSV4RRFFQ69G5FAV' } } };
      },
      asset_not_found: async () => ({
        body: { media: [{ kind: 'image', assetId: 'asset_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] },
      }),
      account_ambiguous: testedElsewhere.fields,
      asset_invalid: testedElsewhere.fields,
    },
  }),

  async prepare(ctx, { body }) {
    if (typeof body.assigneeUid === 'string') await checkMember(ctx, body.assigneeUid);
  },

  async handler(ctx, { params, body }) {
    const changedPost = await changePost(ctx, await lockPost(ctx, params.postId), body);
    return showPost(ctx, changedPost);
  },
});
