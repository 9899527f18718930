// Collects the metrics of live posts in small batches: a schedule enqueues jobs for the due targets, and a job asks the networks.
import {
  defineJob,
  type JobContext,
  type ScheduleDeclaration,
  type TransactionContext,
  z,
} from '../../../core/index.ts';
import { type NetworkCaller, withNetwork } from '../networks/call-network.ts';
import { concurrencyKeyOf } from '../networks/concurrency-key.ts';
import { isSocialError, type PostMetrics } from '../port/index.ts';
import {
  type AccountRow,
  accountRows,
  metricsRows,
  postRows,
  type SocialPostRow,
  type TargetRow,
  targetRows,
} from '../tables.ts';
import { roundedMetrics } from './present.ts';
import { nextCollectionAt } from './times.ts';

export const collectMetricsKind = 'social.collect_figures';

/** The maximum number of targets of one job. */
const targetsPerJob = 20;
/** The maximum number of jobs of a workspace in one run of the schedule. */
const maxBatches = 10;
/** The time limit of one request for metrics, in milliseconds. */
export const metricsTimeoutMs = 20_000;

/** A live post on one account. */
export interface LiveTargetPost {
  readonly target: TargetRow;
  readonly post: Pick<SocialPostRow, 'id' | 'content'>;
  readonly account: AccountRow;
}

/** Asks a network for the metrics of one target; undefined if the network does not report metrics. @throws SocialError */
export async function fetchMetrics(
  caller: NetworkCaller,
  { target, post, account }: LiveTargetPost,
): Promise<PostMetrics | undefined> {
  const { external_id: externalId, parts, channel_id: channelId } = target;
  const live = {
    postId: post.id,
    accountRef: account.id,
    externalAccountId: account.external_id,
    settings: post.content.channelSettings[channelId] ?? {},
    externalId: externalId ?? '',
    parts,
  };
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(metricsTimeoutMs)]);
  const metrics = await withNetwork(caller, account.connector_id, async (adapter) =>
    adapter.metrics?.(live, { signal, now: caller.ports.now() }),
  );
  return metrics === undefined ? undefined : roundedMetrics(metrics);
}

/** Returns the targets that are due, and stores when each is due next, so that a target of a failed job is due again at that time. */
async function takeDue({ trx, now }: TransactionContext): Promise<string[]> {
  const rows = await trx.db
    .selectFrom('social_targets')
    .select(['id', 'published_at'])
    .where('figures_due_at', '<=', now)
    .orderBy('figures_due_at')
    .limit(targetsPerJob)
    .execute();
  for (const { id, published_at: publishedAt } of rows)
    await targetRows.update(trx, id, { figures_due_at: nextCollectionAt(publishedAt ?? now, now) });
  return rows.map(({ id }) => id);
}

export const collectMetricsSchedule: ScheduleDeclaration = {
  id: 'social.collect_figures',
  description: 'Enqueues the collection of metrics of live posts.',
  everyMs: 900_000,
  async run({ eachWorkspace, signal }) {
    // Each turn processes one batch of each workspace, so that a large workspace does not delay smaller ones.
    let isAnyDue = true;
    for (let batchNumber = 0; batchNumber < maxBatches && isAnyDue && !signal.aborted; batchNumber += 1) {
      isAnyDue = false;
      await eachWorkspace(async (ctx) => {
        const targetIds = await takeDue(ctx);
        if (targetIds.length === 0) return;
        isAnyDue = true;
        ctx.enqueue({
          kind: collectMetricsKind,
          payload: { targetIds },
          concurrencyKey: concurrencyKeyOf(collectMetricsKind, ctx.workspace.id),
        });
      });
    }
  },
};

async function loadLive(ctx: JobContext, targetId: string): Promise<LiveTargetPost | undefined> {
  return ctx.read(async ({ trx }) => {
    const target = await targetRows.find(trx, targetId);
    if (target?.status !== 'published' || target.account_ref === null) return undefined;
    const post = await postRows.find(trx, target.post_id);
    const account = await accountRows.find(trx, target.account_ref);
    return post === undefined || account === undefined ? undefined : { target, post, account };
  });
}

export const collectMetricsJob = defineJob({
  kind: collectMetricsKind,
  payload: z.object({ targetIds: z.array(z.string()) }),
  lane: 'outbound',
  retryDelaysMs: [600_000],
  timeoutMs: targetsPerJob * metricsTimeoutMs + 60_000,

  async handler(ctx, { targetIds }) {
    /** The connectors that failed in this job. The job skips their other posts, which are collected when they are due again. */
    const failedConnectors = new Set<string>();
    for (const targetId of targetIds) {
      ctx.signal.throwIfAborted();
      const live = await loadLive(ctx, targetId);
      if (live === undefined || live.account.status !== 'connected' || failedConnectors.has(live.account.connector_id))
        continue;
      try {
        const metrics = await fetchMetrics(ctx, live);
        if (metrics === undefined) continue;
        await ctx.checkpoint(({ trx, newId, now }) =>
          metricsRows.insert(trx, { id: newId('sfi'), target_id: targetId, collected_at: now, figures: metrics }),
        );
      } catch (error) {
        if (!isSocialError(error) || ctx.signal.aborted) throw error;
        if (error.fault !== 'rejected') failedConnectors.add(live.account.connector_id);
        ctx.log.warn({ targetId, fault: error.fault }, 'social metrics could not be collected');
      }
    }
    await ctx.complete();
  },
});
