// Builds the content of the post for a slot.
import type { ServiceContext } from '../../../core/index.ts';
import type { SocialContent } from '../../social/index.ts';
import type { Caption, PlanRunRow, Slot } from './tables.ts';

/** The content for these channels, with the accounts that the run names. @throws validation_failed if a channel no longer exists */
export function contentOfChannels(
  { services }: ServiceContext,
  { accounts }: PlanRunRow,
  channels: readonly string[],
  caption?: string,
): SocialContent {
  const accountsOfChannels = Object.entries(accounts).filter(([channel]) => channels.includes(channel));
  return services.social.content(
    { services, refuse: () => undefined },
    {
      channels,
      ...(caption === undefined ? {} : { caption }),
      ...(accountsOfChannels.length === 0 ? {} : { targetAccountRefs: Object.fromEntries(accountsOfChannels) }),
    },
  );
}

/** The content for the channel of the slot. @throws validation_failed if the channel no longer exists */
export function contentOf(
  context: ServiceContext,
  run: PlanRunRow,
  { channel }: Pick<Slot, 'channel'>,
  caption?: Caption,
): SocialContent {
  return contentOfChannels(context, run, [channel], caption?.caption);
}
