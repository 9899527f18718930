// Reads the input of a strategy: the brief and the knowledge of the workspace.
import type { JobContext } from '../../../core/index.ts';
import type { CreationRow } from '../tables.ts';
import { kindsOf } from './campaign-channels.ts';
import { type CampaignOptions, urlsIn } from './form.ts';
import type { StrategyKnowledge } from './instructions.ts';

const day = 86_400_000;
/** The length of a campaign without an end date, in days. */
const defaultDays = 28;

/** The time of the first item: the start that the caller chose, or 10:00 UTC on the day after the creation was made. */
export const startOf = ({ starts_at: at, created_at: createdAt }: CreationRow): number =>
  at ?? (Math.floor(createdAt / day) + 1) * day + 10 * 3_600_000;

/** The channels that the caller named; otherwise the channels of the defaults; otherwise email, page and the connected networks. */
async function channelsOf(ctx: JobContext, { channels }: CreationRow): Promise<readonly string[]> {
  if (channels.length > 0) return channels;
  return ctx.read(async ({ trx }) => {
    const { channels: defaultChannels } = await ctx.services.marketing.defaults(trx);
    const usable = defaultChannels.filter((channel) => kindsOf(ctx, channel).length > 0);
    return usable.length > 0 ? usable : ['email', 'page', ...(await ctx.services.social.connected(trx))];
  });
}

/** The possible parts of the campaign. */
export async function campaignOptionsOf(ctx: JobContext, creation: CreationRow): Promise<CampaignOptions> {
  const channels = await channelsOf(ctx, creation);
  const end = creation.ends_at ?? startOf(creation) + defaultDays * day;
  return {
    kinds: new Map(channels.map((channel) => [channel, kindsOf(ctx, channel)])),
    urls: urlsIn(creation.brief),
    lastDay: Math.max(0, Math.min(180, Math.floor((end - startOf(creation)) / day))),
  };
}

/** Reads the knowledge of the workspace. */
export const knowledgeOf = (ctx: JobContext, creation: CreationRow): Promise<StrategyKnowledge> =>
  ctx.read(async ({ trx }) => {
    const { marketing, brands } = ctx.services;
    const { tone, brandId } = await marketing.defaults(trx);
    const icp = await marketing.icp(trx, creation.icp_id ?? undefined);
    const brand = await brands.style(trx, brandId ?? undefined);
    return { brand, icp, tone, strategy: await marketing.strategy(trx) };
  });

/** The brief and the objective. A revision adds the earlier strategy and the comment. */
export const strategyPrompt = ({ brief, objective, comment, strategy }: CreationRow): string =>
  [
    brief,
    ...(objective === null ? [] : [`The aim: ${objective}`]),
    ...(comment === null
      ? []
      : [`The strategy before: ${JSON.stringify(strategy)}`, `What is to be different: ${comment}`]),
  ].join('\n\n');
