import { defineOperation, heldResponse, noteForReviewers, respond, z } from '../../../core/index.ts';
import { publishingEvents } from '../events.ts';
import { simulationScenario } from '../input.ts';
import { lockPost } from '../post/find-post.ts';
import {
  checkMayPublish,
  checkScenario,
  publishOrSchedule,
  publishOrScheduleErrors,
} from '../post/publish-or-schedule.ts';
import { showPost } from '../present.ts';
import { socialPost } from '../resources.ts';
import { emptyPost, postIn, somePost, testedElsewhere, unwrittenPost } from './fixture-rows.ts';
import { postParams } from './read-post.ts';

export const publishPost = defineOperation({
  id: 'social.post_publish',
  summary: 'Publish a social post',
  description:
    'On all of its channels on which it is not live yet. The answer shows it as publishing: events report the result. On each channel it is published at most once. Ask a person first.',
  http: 'POST /v1/social/posts/{postId}/publish',
  tool: { name: 'publish_social_post', openWorld: true },
  scopes: ['social:posts:publish'],
  instead: { 'approvals.submit': 'ask for an approval, so that another key may publish it' },
  idempotency: 'replay',
  input: {
    params: postParams,
    body: z.object({
      retryUnknown: z
        .boolean()
        .default(false)
        .describe(
          'Publishes again on channels where the result is unknown. Look at the network first, because the post may already be live.',
        ),
      simulationScenario,
      note: noteForReviewers,
    }),
  },
  output: socialPost,
  secondSuccess: heldResponse(socialPost),
  contentKind: 'social_post',
  errors: ['post_not_found', ...publishOrScheduleErrors, 'state_conflict', 'limit_reached'],
  emits: [...publishingEvents, 'approval.requested', 'approval.decided', 'budget.reached'],
  audit: { action: 'social.post.publish', target: ({ id }) => ({ kind: 'social_post', id }) },
  fixture: async (kit) => ({
    params: { postId: await somePost(kit, kit.workspaceId) },
    body: {},
    foreign: { postId: await somePost(kit, kit.foreignWorkspaceId) },
    errors: {
      placeholders_left: async () => ({ params: { postId: await unwrittenPost(kit) } }),
      post_invalid: async () => ({ params: { postId: await emptyPost(kit) } }),
      state_conflict: async () => ({ params: { postId: await postIn(kit, 'published') } }),
      sandbox_only: async () => ({ body: { simulationScenario: 'failed' } }),
      account_ambiguous: testedElsewhere.fields,
      plan_required: testedElsewhere.plans,
      credits_exhausted: testedElsewhere.plans,
      limit_reached: testedElsewhere.held,
    },
  }),

  async handler(ctx, { params, body }) {
    checkMayPublish(ctx);
    checkScenario(ctx, body.simulationScenario);
    const { retryUnknown } = body;
    const { post, decision } = await publishOrSchedule(
      ctx,
      await lockPost(ctx, params.postId),
      { at: null, scenario: body.simulationScenario, retryUnknown },
      { from: ['draft', 'ready', 'scheduled', 'failed', 'partially_published'], field: 'scheduledAt' },
    );
    const response = await showPost(ctx, post);
    return decision === undefined ? response : respond(202, { ...response, approval: decision });
  },
});
