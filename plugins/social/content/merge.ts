// Builds the content of a post from the fields of a call, and checks these fields. Whether a post with valid fields can be published is
// checked by problems/.
import type { ErrorDetail } from '../../../core/index.ts';
import { didYouMean } from '../../../core/unstable.ts';
import type { SocialChannels } from '../channels.ts';
import type { PostContentInput } from '../input.ts';
import type { SocialPostContent } from '../schema.ts';

export const noContent: SocialPostContent = {
  channels: [],
  caption: '',
  channelCaptions: {},
  threadTweets: [],
  hashtags: [],
  media: [],
  linkUrl: null,
  channelSettings: {},
  targetAccountRefs: {},
};

/** The entries of these channels. */
const entriesOf = <T>(record: Readonly<Record<string, T>>, channels: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([channelId]) => channels.includes(channelId)));

const withoutUndefined = (settings: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Removes repeated hashtags. Upper and lower case count as the same. */
function distinct(hashtags: readonly string[]): string[] {
  const seenTags = new Map<string, string>();
  for (const tag of hashtags) if (!seenTags.has(tag.toLowerCase())) seenTags.set(tag.toLowerCase(), tag);
  return [...seenTags.values()];
}

/** The content after the change. Captions and accounts of channels that the post no longer has are dropped. */
export function mergeContent(before: SocialPostContent, input: PostContentInput): SocialPostContent {
  const channels = input.channels ?? before.channels;
  const settings = input.channelSettings ?? before.channelSettings;
  return {
    channels,
    caption: input.caption ?? before.caption,
    channelCaptions: entriesOf(input.channelCaptions ?? before.channelCaptions, channels),
    threadTweets: input.threadTweets === undefined ? before.threadTweets : (input.threadTweets ?? []),
    hashtags: input.hashtags === undefined ? before.hashtags : distinct(input.hashtags),
    media: input.media ?? before.media,
    linkUrl: input.linkUrl === undefined ? before.linkUrl : input.linkUrl,
    channelSettings: Object.fromEntries(
      Object.entries(settings).map(([channelId, of]) => [channelId, withoutUndefined(of ?? {})]),
    ),
    targetAccountRefs: entriesOf(input.targetAccountRefs ?? before.targetAccountRefs, channels),
  };
}

/** Faults that the input schema cannot find in the fields of a call. `channels`: the channels of the post after the change. */
export function fieldFaults(
  composedChannels: SocialChannels,
  input: PostContentInput,
  channels: readonly string[],
): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const available =
    composedChannels.ids.length === 0
      ? 'The program has composed no network: connectorsPlugin takes its providers.'
      : `Available: ${composedChannels.ids.join(', ')}.`;
  for (const [index, channelId] of (input.channels ?? []).entries()) {
    const path = `channels.${index}`;
    if (composedChannels.rulesOf(channelId) === undefined) {
      const message = `There is no channel ${channelId}.${didYouMean(channelId, composedChannels.ids)} ${available}`;
      faults.push({ path, code: 'unknown_channel', message });
    } else if (input.channels?.indexOf(channelId) !== index)
      faults.push({ path, code: 'duplicate', message: `${channelId} occurs twice in channels.` });
  }
  for (const field of ['channelCaptions', 'targetAccountRefs'] as const)
    for (const channelId of Object.keys(input[field] ?? {}))
      if (!channels.includes(channelId))
        faults.push({
          path: `${field}.${channelId}`,
          code: 'unknown_channel',
          message: `${channelId} is not a channel of the post.`,
        });
  return faults;
}
