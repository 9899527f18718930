// The content of the post that a slot becomes.
import type { ServiceSurface } from '../../../core/index.ts';
import type { SocialContent } from '../../social/index.ts';
import type { Caption, RunRow, Slot } from './tables.ts';

type Surface = Pick<ServiceSurface, 'services'>;

/** The content for the channel of the slot. @throws validation_failed where the channel is gone */
export function contentOf(
  { services }: Surface,
  { accounts }: RunRow,
  { channel }: Pick<Slot, 'channel'>,
  caption?: Caption,
): SocialContent {
  const accountRef = accounts[channel];
  const content = services.social.content(
    { services, refuse: () => undefined },
    {
      channels: [channel],
      ...(caption === undefined ? {} : { caption: caption.caption }),
      ...(accountRef === undefined ? {} : { targetAccountRefs: { [channel]: accountRef } }),
    },
  );
  return caption?.isBrief === true ? { ...content, captionIsBrief: true } : content;
}
