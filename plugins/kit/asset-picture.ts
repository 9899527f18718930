// The address in the console of an asset's picture, for pages that show one.
import type { ConsoleContext } from '../../core/index.ts';
import type { RowPicture } from '../../core/unstable.ts';

/** The picture of an asset. Null without an asset, and if the person may not read assets. */
export const assetPicture = (
  ctx: Pick<ConsoleContext, 'link' | 'mayCall'>,
  assetId: string | null,
  alt: string,
): Extract<RowPicture, { src: string }> | null =>
  assetId === null || !ctx.mayCall('assets.read') ? null : { src: ctx.link(`assets/${assetId}/picture`), alt };
