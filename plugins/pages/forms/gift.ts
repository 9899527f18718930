// The lead magnet of a form, as a link signed for 7 days. Called after an address is confirmed.
import type { ReadContext, Workspace } from '../../../core/index.ts';
import type { GiftLink } from '../../lists/index.ts';
import { leadMagnetsOf } from './lead-magnets.ts';

/** Undefined if there is no lead magnet: it was deleted, or the program no longer composes its plugin. */
export async function giftOf(
  ctx: ReadContext,
  workspace: Workspace,
  leadMagnetId: string | null,
): Promise<GiftLink | undefined> {
  const leadMagnets = leadMagnetsOf(ctx);
  const leadMagnet = leadMagnetId === null ? undefined : await leadMagnets?.find(ctx.trx, leadMagnetId);
  if (leadMagnet === undefined) return undefined;
  const url = await leadMagnets?.giftUrl(ctx.trx, workspace, leadMagnet.id);
  return url === undefined ? undefined : { label: leadMagnet.title, url };
}
