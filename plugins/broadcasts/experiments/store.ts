// SQL of experiments: the figures of a sample, and the recipients outside of it, who wait for the decision.
import { filledList, type TransactionContext, type WorkspaceHandle } from '../../../core/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import { releaseHeldOut } from '../conversions/turns.ts';
import type { CountedVariant } from './compare-variants.ts';
import type { Experiment, ExperimentMetric } from './schema.ts';

/** The maximum number of recipients that one transaction releases after the decision. */
const batch = 500;

const hitColumns = {
  human_clicks: 'clicked_at',
  human_opens: 'opened_at',
  conversions: 'converted_at',
} as const satisfies Readonly<Record<ExperimentMetric, string>>;

/** The figures of a sample. */
export interface SampleCounts {
  readonly variants: readonly CountedVariant[];
  /** The time at which the last mail was handed over, in milliseconds; null if there was no mail. */
  readonly lastHandOver: number | null;
}

/** Counts the mails of each variant that were handed over. Called before the decision, because other recipients get a variant after it. */
export async function readSample(
  { db }: WorkspaceHandle,
  broadcastId: string,
  { variants, metric }: Experiment,
): Promise<SampleCounts> {
  const rows = await db
    .selectFrom('broadcast_recipients')
    .select('variant')
    .select(({ fn }) => [
      fn.countAll<number>().as('recipients'),
      fn.count<number>(hitColumns[metric]).as('hits'),
      fn.max('at').as('last'),
    ])
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'handed_over')
    .where('variant', 'is not', null)
    .groupBy('variant')
    .execute();
  const rowsByVariant = new Map(rows.map((row) => [row.variant, row]));
  return {
    variants: variants.map(({ name }) => {
      const row = rowsByVariant.get(name);
      return { name, recipients: Number(row?.recipients ?? 0), hits: Number(row?.hits ?? 0) };
    }),
    lastHandOver: rows.length === 0 ? null : Math.max(...rows.map(({ last }) => Number(last))),
  };
}

/** The next recipients who wait for the decision. Locked, because an erasure may exclude them. */
async function listUndecided({ trx }: TransactionContext, broadcastId: string, limit: number): Promise<string[]> {
  const rows = await trx.db
    .selectFrom('broadcast_recipients')
    .select('id')
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'undecided')
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the decision is pending and somebody waits for it. */
export const awaitsDecision = async (ctx: TransactionContext, { id, experiment }: BroadcastRow): Promise<boolean> =>
  experiment?.status === 'sampling' && (await listUndecided(ctx, id, 1)).length > 0;

/** After the decision, releases the next recipients, who are then due at once. Returns whether there were any. */
export async function releaseNext(ctx: TransactionContext, row: BroadcastRow): Promise<boolean> {
  const { id, experiment } = row;
  const variant = experiment?.decision?.variant;
  if (variant === undefined) return false;
  const ids = await listUndecided(ctx, id, batch);
  if (ids.length === 0) return false;
  await ctx.trx.db
    .updateTable('broadcast_recipients')
    .set({ state: 'waiting', variant, due_at: ctx.now })
    .where('id', 'in', filledList(ids))
    .execute();
  await releaseHeldOut(ctx, row, ids.at(-1) ?? '');
  ctx.ports.phase('broadcasts.releasing', id);
  return true;
}
