import { defineOperation, givenTime, heldAnswer, respond, z } from '../../../core/index.ts';
import { publishingEvents } from '../events.ts';
import { simulationScenario } from '../input.ts';
import { lockPost } from '../post/find.ts';
import { checkMayPublish, checkScenario, goingErrors, goOut } from '../post/going.ts';
import { takeOffSchedule } from '../post/take-off.ts';
import { showPost } from '../present.ts';
import { socialPost } from '../resources.ts';
import { emptyPost, postIn, shownElsewhere, somePost } from './fixture-rows.ts';
import { postParams } from './read-post.ts';

export const schedulePost = defineOperation({
  id: 'social.post_schedule',
  summary: 'Schedule a social post',
  description:
    'The post goes out at that time, from now to 365 days ahead; its credits are held until then. A scheduled post moves to the new time, after the same checks and the same approval, and its credits are held once. null takes it off the schedule and releases them: it is ready again.',
  http: 'POST /v1/social/posts/{postId}/schedule',
  tool: { name: 'schedule_social_post', openWorld: true },
  scopes: ['social:posts:publish'],
  idempotency: 'replay',
  input: {
    params: postParams,
    body: z.object({
      scheduledAt: givenTime.nullable().describe('When it goes out, in place of an earlier time; null: not any more.'),
      simulationScenario,
    }),
  },
  output: socialPost,
  alsoSucceeds: heldAnswer(socialPost),
  surface: 'social_post',
  errors: ['post_not_found', ...goingErrors, 'schedule_at_invalid', 'state_conflict', 'limit_reached'],
  emits: ['social.post.scheduled', ...publishingEvents, 'approval.requested', 'approval.decided', 'budget.reached'],
  audit: { action: 'social.post.schedule', target: ({ id }) => ({ kind: 'social_post', id }) },
  fixture: async (kit) => ({
    params: { postId: await somePost(kit, kit.workspaceId) },
    body: { scheduledAt: new Date(await kit.write(async ({ now }) => now + 86_400_000)).toISOString() },
    foreign: { postId: await somePost(kit, kit.foreignWorkspaceId) },
    errors: {
      post_invalid: async () => ({ params: { postId: await emptyPost(kit) } }),
      state_conflict: async () => ({ params: { postId: await postIn(kit, 'published') } }),
      schedule_at_invalid: async () => ({ body: { scheduledAt: '2020-01-01T00:00:00Z' } }),
      sandbox_only: async () => ({ body: { scheduledAt: null, simulationScenario: 'failed' } }),
      account_ambiguous: shownElsewhere.fields,
      plan_required: shownElsewhere.plans,
      credits_exhausted: shownElsewhere.plans,
      limit_reached: shownElsewhere.held,
    },
  }),

  async handler(ctx, { params, body }) {
    // A post can be taken off the schedule even if the plan no longer includes publishing.
    if (body.scheduledAt !== null) checkMayPublish(ctx);
    checkScenario(ctx, body.simulationScenario);
    const post = await lockPost(ctx, params.postId);
    if (body.scheduledAt === null) return showPost(ctx, await takeOffSchedule(ctx, post));
    const going = { at: body.scheduledAt, scenario: body.simulationScenario };
    const gone = await goOut(ctx, post, going, {
      from: ['draft', 'ready', 'scheduled', 'failed'],
      field: 'scheduledAt',
    });
    const shown = await showPost(ctx, gone.post);
    return gone.decision === undefined ? shown : respond(202, { ...shown, approval: gone.decision });
  },
});
