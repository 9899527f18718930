import { defineOperation, heldResponse, respond, timeInput, z } from '../../../core/index.ts';
import { publishingEvents } from '../events.ts';
import { simulationScenario } from '../input.ts';
import { lockPost } from '../post/find-post.ts';
import {
  checkMayPublish,
  checkScenario,
  publishOrSchedule,
  publishOrScheduleErrors,
} from '../post/publish-or-schedule.ts';
import { unschedulePost } from '../post/unschedule-post.ts';
import { showPost } from '../present.ts';
import { socialPost } from '../resources.ts';
import { emptyPost, postIn, somePost, testedElsewhere, unwrittenPost } from './fixture-rows.ts';
import { postParams } from './read-post.ts';

export const schedulePost = defineOperation({
  id: 'social.post_schedule',
  summary: 'Schedule a social post',
  description:
    'The post is published at that time, from now to 365 days ahead; its credits are reserved until then. A scheduled post moves to the new time, after the same checks and the same approval, and its credits are reserved once. null cancels the schedule and releases the credits: the post is ready again.',
  http: 'POST /v1/social/posts/{postId}/schedule',
  tool: { name: 'schedule_social_post', openWorld: true },
  scopes: ['social:posts:publish'],
  idempotency: 'replay',
  input: {
    params: postParams,
    body: z.object({
      scheduledAt: timeInput.nullable().describe('The new publication time; null cancels the schedule.'),
      simulationScenario,
    }),
  },
  output: socialPost,
  secondSuccess: heldResponse(socialPost),
  contentKind: 'social_post',
  errors: ['post_not_found', ...publishOrScheduleErrors, 'schedule_at_invalid', 'state_conflict', 'limit_reached'],
  emits: ['social.post.scheduled', ...publishingEvents, 'approval.requested', 'approval.decided', 'budget.reached'],
  audit: { action: 'social.post.schedule', target: ({ id }) => ({ kind: 'social_post', id }) },
  fixture: async (kit) => ({
    params: { postId: await somePost(kit, kit.workspaceId) },
    body: { scheduledAt: new Date(await kit.write(async ({ now }) => now + 86_400_000)).toISOString() },
    foreign: { postId: await somePost(kit, kit.foreignWorkspaceId) },
    errors: {
      placeholders_left: async () => ({ params: { postId: await unwrittenPost(kit) } }),
      post_invalid: async () => ({ params: { postId: await emptyPost(kit) } }),
      state_conflict: async () => ({ params: { postId: await postIn(kit, 'published') } }),
      schedule_at_invalid: async () => ({ body: { scheduledAt: '2020-01-01T00:00:00Z' } }),
      sandbox_only: async () => ({ body: { scheduledAt: null, simulationScenario: 'failed' } }),
      account_ambiguous: testedElsewhere.fields,
      plan_required: testedElsewhere.plans,
      credits_exhausted: testedElsewhere.plans,
      limit_reached: testedElsewhere.held,
    },
  }),

  async handler(ctx, { params, body }) {
    // A post can be taken off the schedule even if the plan no longer includes publishing.
    if (body.scheduledAt !== null) checkMayPublish(ctx);
    checkScenario(ctx, body.simulationScenario);
    const post = await lockPost(ctx, params.postId);
    if (body.scheduledAt === null) return showPost(ctx, await unschedulePost(ctx, post));
    const publishOptions = { at: body.scheduledAt, scenario: body.simulationScenario };
    const publication = await publishOrSchedule(ctx, post, publishOptions, {
      from: ['draft', 'ready', 'scheduled', 'failed'],
      field: 'scheduledAt',
    });
    const response = await showPost(ctx, publication.post);
    return publication.decision === undefined
      ? response
      : respond(202, { ...response, approval: publication.decision });
  },
});
