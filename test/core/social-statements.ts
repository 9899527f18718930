// Runs the database statements of social posts, social events and planned emails. Called by statement-plans.test.ts.
import type { createTestService } from '../../hosts/testing/test-service.ts';
import type { bareStandardPlugins } from '../support/plugins.ts';

type Service = Awaited<ReturnType<typeof createTestService<(typeof bareStandardPlugins)[number]['id']>>>;

/** Publishes, counts, lists and deletes posts of a connected account. */
export async function runSocial(test: Service): Promise<void> {
  const { service, workspaceId, drain } = test;
  const { social } = service.as(workspaceId);
  await service.connectors.create(workspaceId, {
    kind: 'social',
    provider: 'x',
    name: 'X',
    credentials: {},
    options: {},
  });
  test.advanceClock(61_000);
  await social.networksRefresh();
  await service.jobs.runSchedules();
  const post = { channels: ['x'], caption: 'Plans', threadTweets: ['more'] };
  const { id: postId, groupId } = await social.postCreate({ ...post, publish: true });
  await drain();
  test.advanceClock(2 * 3_600_000);
  await service.jobs.runSchedules();
  await drain();
  await social.postAnalytics({ postId });
  await social.postCreate({ ...post, scheduleAt: new Date(test.now() + 3_600_000).toISOString() });
  for (const filter of [
    {},
    { status: 'published' as const },
    { channelId: 'x' },
    { groupId },
    { planningKind: 'post' as const },
  ]) {
    const { next_cursor: cursor } = await social.posts({ limit: 1, ...filter });
    if (cursor !== null) await social.posts({ limit: 1, ...filter, cursor });
  }
}

/** Creates social events that become drafts, once for each key, reads their lists, and creates a planned email. */
export async function runSocialEvents({ service, workspaceId, now }: Service): Promise<void> {
  const { campaigns, socialEvents } = service.as(workspaceId);
  const stock = { eventKey: 'back_in_stock', variables: { product: 'Stool' }, channels: ['x'], dedupeKey: 'plans' };
  await socialEvents.trigger(stock);
  await socialEvents.trigger(stock);
  await socialEvents.trigger({ ...stock, dedupeKey: 'plans again' });
  for (const filter of [
    {},
    { eventKey: 'back_in_stock' },
    { status: 'drafted' as const },
    { status: 'deleted' as const },
  ]) {
    const { next_cursor: cursor } = await socialEvents.runs({ limit: 1, ...filter });
    if (cursor !== null) await socialEvents.runs({ limit: 1, ...filter, cursor });
  }
  const scheduleAt = new Date(now() + 86_400_000).toISOString();
  const { campaignId } = await campaigns.planned({ name: 'Plans', scheduleAt, timezone: 'UTC' });
  await campaigns.plannedUpdate({ campaignId, name: 'Other plans' });
  await campaigns.plannedCancel({ campaignId });
}
