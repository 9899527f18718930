// Builds the content of a post from an event: a caption for each channel.
import type { OperationContext, ServiceContext } from '../../core/index.ts';
import { didYouMean } from '../../core/unstable.ts';
import type { SocialService } from '../social/index.ts';
import { errors } from './errors.ts';
import { eventKeys, findEvent, type KitEvent, kitChannels } from './kit/kit.ts';
import type { RunCaption, TriggerBody } from './schema.ts';

/** @throws social_event_not_found */
export function eventOf(eventKey: string): KitEvent {
  const event = findEvent(eventKey);
  if (event === undefined)
    throw errors.social_event_not_found({ eventKey, suggestion: didYouMean(eventKey, eventKeys) });
  return event;
}

/** The kit's default channels for which the program has composed a network. */
export const composedChannels = ({ services }: ServiceContext): string[] =>
  kitChannels.filter((channelId) => services.socialChannels.ids.includes(channelId));

/** The default channels of an event that have a connected account. @throws account_missing if no channel has one */
export async function defaultChannels(ctx: OperationContext, { eventKey }: KitEvent): Promise<string[]> {
  const composed = composedChannels(ctx);
  const connected = await ctx.services.social.connected(ctx.trx);
  const channels = composed.filter((channelId) => connected.has(channelId));
  if (channels.length === 0) throw errors.account_missing({ eventKey, channels: composed });
  return channels;
}

type Content = ReturnType<SocialService['content']>;
type PostFields = Pick<TriggerBody, 'media' | 'linkUrl' | 'channelSettings' | 'targetAccountRefs'>;

/** The content of the post. @throws variables_invalid, validation_failed */
export function contentOf(
  ctx: OperationContext,
  event: KitEvent,
  channels: readonly string[],
  variables: Readonly<Record<string, unknown>>,
  { media, linkUrl, channelSettings, targetAccountRefs }: PostFields = {},
): Content {
  const { socialEventWordings: wordings, social } = ctx.services;
  const texts = channels.map((channelId) => wordings.render(wordings.of(event, channelId), variables, ctx.now));
  const [caption = ''] = texts;
  return social.content(ctx, {
    channels,
    caption,
    channelCaptions: Object.fromEntries(
      channels.flatMap((channelId, index) => {
        const text = texts[index] ?? caption;
        return text === caption ? [] : [[channelId, text]];
      }),
    ),
    ...(media === undefined ? {} : { media }),
    ...(linkUrl === undefined ? {} : { linkUrl }),
    ...(channelSettings === undefined ? {} : { channelSettings }),
    ...(targetAccountRefs === undefined ? {} : { targetAccountRefs }),
  });
}

/** The text that each channel shows, with its problems. `problems`: the problems of a whole post. (Default: the problems of the texts) */
export function captionsOf(
  { services }: ServiceContext,
  content: Content,
  problems?: readonly RunCaption['problems'][number][],
): RunCaption[] {
  return services.social.texts(content).map(({ problems: ofText, ...shown }) => ({
    ...shown,
    problems: (problems?.filter(({ channelId }) => channelId === shown.channelId) ?? ofText).map((problem) => ({
      ...problem,
    })),
  }));
}
