// Collects the figures of live posts in small batches: a schedule enqueues jobs for the due targets, and a job asks the networks.
import {
  defineJob,
  type JobContext,
  type ScheduleDeclaration,
  type TransactionContext,
  z,
} from '../../../core/index.ts';
import { lineOf } from '../networks/line.ts';
import { type NetworkCaller, withNetwork } from '../networks/reach.ts';
import { isSocialError, type PostFigures } from '../port/index.ts';
import {
  type AccountRow,
  accountRows,
  figuresRows,
  type PostRow,
  postRows,
  type TargetRow,
  targetRows,
} from '../tables.ts';
import { wholeFigures } from './present.ts';
import { nextFigures } from './times.ts';

export const collectFiguresKind = 'social.collect_figures';

/** The most targets of one job. */
const batch = 20;
/** The most jobs of a workspace in one run of the schedule. */
const maxBatches = 10;
/** The time limit of one request for figures, in milliseconds. */
export const figuresMs = 20_000;

/** A live post on one account. */
export interface LiveFigures {
  readonly target: TargetRow;
  readonly post: Pick<PostRow, 'id' | 'content'>;
  readonly account: AccountRow;
}

/** Asks a network for the figures of one target; undefined if the network does not report figures. @throws SocialError */
export async function askFigures(
  caller: NetworkCaller,
  { target, post, account }: LiveFigures,
): Promise<PostFigures | undefined> {
  const { external_id: externalId, parts, channel_id: channelId } = target;
  const live = {
    postId: post.id,
    accountRef: account.id,
    externalAccountId: account.external_id,
    settings: post.content.channelSettings[channelId] ?? {},
    externalId: externalId ?? '',
    parts,
  };
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(figuresMs)]);
  const figures = await withNetwork(caller, account.connector_id, async (adapter) =>
    adapter.figures?.(live, { signal, now: caller.ports.now() }),
  );
  return figures === undefined ? undefined : wholeFigures(figures);
}

/** Takes due targets, and stores when each is due next. If the collecting job fails, the target is due again at that time. */
async function takeDue({ trx, now }: TransactionContext): Promise<string[]> {
  const rows = await trx.db
    .selectFrom('social_targets')
    .select(['id', 'published_at'])
    .where('figures_due_at', '<=', now)
    .orderBy('figures_due_at')
    .limit(batch)
    .execute();
  for (const { id, published_at: publishedAt } of rows)
    await targetRows.update(trx, id, { figures_due_at: nextFigures(publishedAt ?? now, now) });
  return rows.map(({ id }) => id);
}

export const collectFiguresSchedule: ScheduleDeclaration = {
  id: 'social.collect_figures',
  description: 'Hands out the live posts whose figures are to be collected.',
  everyMs: 900_000,
  async run({ eachWorkspace, signal }) {
    // Each turn takes one batch of each workspace, so that a large workspace does not delay the others.
    let found = true;
    for (let turn = 0; turn < maxBatches && found && !signal.aborted; turn += 1) {
      found = false;
      await eachWorkspace(async (effects) => {
        const targetIds = await takeDue(effects);
        if (targetIds.length === 0) return;
        found = true;
        effects.enqueue({
          kind: collectFiguresKind,
          payload: { targetIds },
          concurrencyKey: lineOf(collectFiguresKind, effects.workspace.id),
        });
      });
    }
  },
};

async function loadLive(ctx: JobContext, targetId: string): Promise<LiveFigures | undefined> {
  return ctx.read(async ({ trx }) => {
    const target = await targetRows.find(trx, targetId);
    if (target?.status !== 'published' || target.account_ref === null) return undefined;
    const post = await postRows.find(trx, target.post_id);
    const account = await accountRows.find(trx, target.account_ref);
    return post === undefined || account === undefined ? undefined : { target, post, account };
  });
}

export const collectFiguresJob = defineJob({
  kind: collectFiguresKind,
  payload: z.object({ targetIds: z.array(z.string()) }),
  lane: 'outbound',
  retryDelaysMs: [600_000],
  timeoutMs: batch * figuresMs + 60_000,

  async handler(ctx, { targetIds }) {
    /** Connectors that failed in this job. Their other posts are skipped until they are due again. */
    const silent = new Set<string>();
    for (const targetId of targetIds) {
      ctx.signal.throwIfAborted();
      const live = await loadLive(ctx, targetId);
      if (live === undefined || live.account.status !== 'connected' || silent.has(live.account.connector_id)) continue;
      try {
        const figures = await askFigures(ctx, live);
        if (figures === undefined) continue;
        await ctx.checkpoint(({ trx, newId, now }) =>
          figuresRows.insert(trx, { id: newId('sfi'), target_id: targetId, collected_at: now, figures }),
        );
      } catch (error) {
        if (!isSocialError(error) || ctx.signal.aborted) throw error;
        if (error.fault !== 'rejected') silent.add(live.account.connector_id);
        ctx.log.warn({ targetId, fault: error.fault }, 'social figures not collected');
      }
    }
    await ctx.complete();
  },
});
