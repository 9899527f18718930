import {
  coreErrors,
  defineOperationWithPrepare,
  type FixtureKit,
  isoTime,
  toIsoTimeOrNull,
  z,
} from '../../../core/index.ts';
import { fetchMetrics } from '../metrics/collect.ts';
import { beginPoll, type PolledMetrics } from '../metrics/polled.ts';
import { metricsView, noMetrics, totalsOf } from '../metrics/present.ts';
import { isSocialError } from '../port/index.ts';
import { findPost } from '../post/find-post.ts';
import { targetsOf } from '../present.ts';
import { accountRows, metricsRows, postRows } from '../tables.ts';
import { somePost } from './fixture-rows.ts';
import { postParams } from './read-post.ts';

/** The id of a post that was published. */
async function publishedPost(kit: FixtureKit, workspaceId: string): Promise<string> {
  const id = await somePost(kit, workspaceId);
  await kit.write(({ trx, now }) => postRows.update(trx, id, { status: 'published', published_at: now }), workspaceId);
  return id;
}

export const readAnalytics = defineOperationWithPrepare({
  id: 'social.post_analytics',
  summary: 'Read the metrics of a post',
  description:
    'The metrics of a live post, by channel and in total. They are collected hourly for 48 hours, daily to day 30 and weekly to day 90.',
  http: 'GET /v1/social/posts/{postId}/analytics',
  tool: { name: 'get_social_post_analytics', openWorld: true },
  scopes: ['social:posts:read'],
  idempotency: 'read',
  input: {
    params: postParams,
    query: z.object({
      refresh: z
        .enum(['true', 'false'])
        .optional()
        .describe('true: asks the networks now, at most once a minute. The result is not stored.'),
    }),
  },
  output: z.object({
    postId: z.string(),
    collectedAt: isoTime.nullable().describe('null: nothing was collected yet.'),
    cached: z.boolean().describe('false: the networks were asked now.'),
    totals: metricsView,
    byChannel: z.record(z.string(), metricsView),
  }),
  errors: ['post_not_found', 'state_conflict'],
  fixture: async (kit) => ({
    params: { postId: await publishedPost(kit, kit.workspaceId) },
    foreign: { postId: await publishedPost(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: async () => ({ params: { postId: await somePost(kit, kit.workspaceId) } }) },
  }),

  async prepare(ctx, { params, query }) {
    if (query.refresh !== 'true' || ctx.sandbox) return undefined;
    const live = await ctx.read(async ({ trx }) => {
      const post = await postRows.find(trx, params.postId);
      const targets = post === undefined ? [] : ((await targetsOf(trx, [post])).get(post.id) ?? []);
      const found = [];
      for (const target of targets) {
        const account =
          target.status === 'published' && target.account_ref !== null
            ? await accountRows.find(trx, target.account_ref)
            : undefined;
        if (post !== undefined && account !== undefined) found.push({ post, target, account });
      }
      return found;
    });
    if (live.length === 0 || !(await beginPoll(ctx, params.postId))) return undefined;
    const polled: Map<string, { metrics: typeof noMetrics; collectedAt: number }> = new Map();
    await Promise.all(
      live.map(async (each) => {
        try {
          const metrics = await fetchMetrics(ctx, each);
          if (metrics !== undefined) polled.set(each.target.id, { metrics, collectedAt: ctx.ports.now() });
        } catch (error) {
          // If a network does not answer, its stored metrics are shown.
          if (!isSocialError(error)) throw error;
        }
      }),
    );
    return polled as PolledMetrics;
  },

  async handler(ctx, { params }, polled) {
    const post = await findPost(ctx, params.postId);
    if (post.published_at === null)
      throw coreErrors.state_conflict({ reason: `The post is ${post.status}, and was never published.` });
    const targets = (await targetsOf(ctx.trx, [post])).get(post.id) ?? [];
    const byChannel: Record<string, typeof noMetrics> = {};
    let collectedAt: number | null = null;
    for (const target of targets) {
      if (target.published_at === null) continue;
      const [stored] = await metricsRows.page(ctx.trx, { where: { target_id: target.id }, limit: 1 });
      const polledMetrics = polled?.get(target.id);
      const at = polledMetrics?.collectedAt ?? stored?.collected_at ?? null;
      byChannel[target.channel_id] = polledMetrics?.metrics ?? stored?.figures ?? noMetrics;
      if (at !== null) collectedAt = Math.max(collectedAt ?? 0, at);
    }
    return {
      postId: post.id,
      collectedAt: toIsoTimeOrNull(collectedAt),
      cached: polled === undefined || polled.size === 0,
      totals: totalsOf(Object.values(byChannel)),
      byChannel,
    };
  },
});
