// Finds the accounts, the problems and the price that the content of a post has now.
import type { ReadContext } from '../../../core/index.ts';
import { type ChosenAccounts, chooseAccounts } from '../content/accounts.ts';
import { type AssetMap, findMedia } from '../content/media.ts';
import { targetsOf } from '../present.ts';
import { partPrices } from '../price.ts';
import { problemsOf, rulesFor } from '../problems/problems-of.ts';
import type { PostProblem, SocialPostContent } from '../schema.ts';
import type { SocialPostRow, TargetRow } from '../tables.ts';

/** Content with its present accounts, attachments, problems and prices. */
export interface EvaluatedContent {
  readonly content: SocialPostContent;
  readonly accounts: ChosenAccounts;
  readonly assets: AssetMap;
  readonly problems: readonly PostProblem[];
  /** The price of each channel, without regard to the sandbox. */
  readonly prices: ReadonlyMap<string, number>;
}

/** Options of `evaluateContent`. */
export interface EvaluateOptions {
  /** Whether the texts are composed later, as in a dry run. Then missing texts are not reported as problems. (Default: false) */
  readonly textsToCome?: boolean | undefined;
}

/** Evaluates content. `targets`: the present targets of the post. @throws account_ambiguous */
export async function evaluateContent(
  ctx: ReadContext,
  content: SocialPostContent,
  targets: readonly TargetRow[] = [],
  { textsToCome = false }: EvaluateOptions = {},
): Promise<EvaluatedContent> {
  const { socialChannels: channels, socialRules } = ctx.services;
  const accounts = await chooseAccounts(ctx.trx, content, targets);
  const assets = await findMedia(ctx, content);
  const priceOf = (channelId: string): number => {
    const account = accounts.get(channelId);
    const rules = rulesFor(channels, channelId, account);
    if (rules === undefined) return 0;
    const transport = account?.transport ?? 'native';
    return partPrices(socialRules.prices, rules, transport, content).reduce((sum, price) => sum + price, 0);
  };
  const problems = problemsOf(content, { channels, accounts, assets });
  return {
    content,
    accounts,
    assets,
    problems: textsToCome ? problems.filter(({ code }) => code !== 'text_missing') : problems,
    prices: new Map(content.channels.map((channelId) => [channelId, priceOf(channelId)])),
  };
}

/** Evaluates a stored post. @throws account_ambiguous */
export async function evaluatePost(
  ctx: ReadContext,
  post: Pick<SocialPostRow, 'id' | 'content'>,
  options: EvaluateOptions = {},
): Promise<EvaluatedContent & { readonly targets: readonly TargetRow[] }> {
  const targets = (await targetsOf(ctx.trx, [post])).get(post.id) ?? [];
  return { ...(await evaluateContent(ctx, post.content, targets, options)), targets };
}

/** The price of these channels; by default, of all channels. The sandbox is free. */
export const priceOf = (
  { prices }: EvaluatedContent,
  sandbox: boolean,
  channels: readonly string[] = [...prices.keys()],
) => (sandbox ? 0 : channels.reduce((sum, channelId) => sum + (prices.get(channelId) ?? 0), 0));
