// Finds the problems of a post: checks its content against the rules of each of its channels.
import type { SocialChannels } from '../channels.ts';
import type { ChosenAccounts } from '../content/accounts.ts';
import type { AssetMap } from '../content/media.ts';
import type { ChannelRules } from '../port/index.ts';
import type { PostProblem, SocialPostContent } from '../schema.ts';
import type { AccountRow } from '../tables.ts';
import { mediaProblems } from './media.ts';
import { accountProblems, settingProblems } from './settings.ts';
import { textProblems } from './text.ts';

/** Data that a post is checked against. */
export interface PostCheckContext {
  readonly channels: SocialChannels;
  readonly accounts: ChosenAccounts;
  readonly assets: AssetMap;
}

/** The rules of an account's own network, or the rules of its channel. */
export function rulesFor(
  channels: SocialChannels,
  channelId: string,
  account: Pick<AccountRow, 'transport'> | undefined,
): ChannelRules | undefined {
  const network = account === undefined ? undefined : channels.networkOf(channelId, account.transport);
  return network?.rules ?? channels.rulesOf(channelId);
}

/** All problems, channel by channel. */
export function problemsOf(
  content: SocialPostContent,
  { channels, accounts, assets }: PostCheckContext,
): PostProblem[] {
  const problems: PostProblem[] = [];
  let hasThreads = false;
  for (const channelId of content.channels) {
    const account = accounts.get(channelId);
    const rules = rulesFor(channels, channelId, account);
    if (rules === undefined) {
      const message = `The service has no channel ${channelId} any more.`;
      problems.push({ channelId, path: 'channels', code: 'account_missing', message });
      continue;
    }
    hasThreads ||= rules.hasThreads;
    problems.push(
      ...textProblems(rules, content),
      ...mediaProblems(rules, content, assets),
      ...settingProblems(rules, content, account),
      ...accountProblems(rules, account),
    );
  }
  if (content.threadTweets.length > 0 && !hasThreads)
    problems.push({
      channelId: content.channels[0] ?? '',
      path: 'threadTweets',
      code: 'thread_without_x',
      message: 'Threads are published on X only: add the channel x, or clear threadTweets.',
    });
  return problems;
}
