// Builds the content of a post from fields that other plugins give, with the input rules of this plugin, and the text that each channel
// would show.
import { coreErrors, type OperationContext, type WorkspaceHandle } from '../../../core/index.ts';
import { checkValue, faultSummary } from '../../../core/unstable.ts';
import type { SocialChannels } from '../channels.ts';
import { updateBody } from '../input.ts';
import { rulesFor } from '../problems/problems-of.ts';
import { textProblems } from '../problems/text.ts';
import type { PostProblem, SocialPostContent } from '../schema.ts';
import { accountRows } from '../tables.ts';
import { targetTexts, textRuleOf } from '../text/build.ts';
import { countText } from '../text/count.ts';
import { fieldFaults, mergeContent, noContent } from './merge.ts';

/** Unchecked fields of a post, from another plugin. */
export interface UncheckedContent {
  readonly channels: readonly string[];
  readonly caption?: string;
  readonly channelCaptions?: Readonly<Record<string, string>>;
  readonly media?: readonly unknown[];
  readonly linkUrl?: string | undefined;
  readonly channelSettings?: object;
  readonly targetAccountRefs?: Readonly<Record<string, string>>;
}

/** The text that one channel shows. */
export interface ChannelText {
  readonly channelId: string;
  /** The text as people read it: with the hashtags, and with the link if the channel has links in texts. */
  readonly text: string;
  /** Counted as the network counts. */
  readonly length: number;
  readonly limit: number;
  /** The problems of the text. */
  readonly problems: readonly PostProblem[];
}

const contentBody = updateBody.omit({ plannedAt: true, assigneeUid: true, brief: true });

/** @throws validation_failed with a detail for each fault, like the operations of posts */
export function readContent(
  ctx: Pick<OperationContext, 'services' | 'refuse'>,
  input: UncheckedContent,
): SocialPostContent {
  const parsed = checkValue(contentBody.strict(), input, 'The post');
  if (!parsed.ok)
    throw coreErrors.validation_failed({ summary: faultSummary(parsed.faults) }, { details: parsed.faults });
  ctx.refuse(fieldFaults(ctx.services.socialChannels, parsed.data, parsed.data.channels ?? []));
  return mergeContent(noContent, parsed.data);
}

/** The text of each channel. Channels that are not composed are left out. */
export const channelTexts = (channels: SocialChannels, content: SocialPostContent): ChannelText[] =>
  content.channels.flatMap((channelId) => {
    const rules = rulesFor(channels, channelId, undefined);
    if (rules === undefined) return [];
    const [text] = targetTexts(rules, content).texts;
    const { unit, max: limit } = textRuleOf(rules, content);
    return [{ channelId, text, length: countText(unit, text), limit, problems: textProblems(rules, content) }];
  });

/** The channels with a connected account. */
export async function connectedChannels(handle: WorkspaceHandle): Promise<ReadonlySet<string>> {
  const rows = await accountRows.page(handle, { where: { status: 'connected' }, limit: 500 });
  return new Set(rows.map(({ channel_id: channelId }) => channelId));
}
