// What a form gives away: a link to a lead magnet, signed for 7 days. Called where an address has confirmed.
import type { ReadContext, Workspace } from '../../../core/index.ts';
import type { GivenLink } from '../../lists/index.ts';
import { leadMagnetsOf } from './lead-magnets.ts';

/** Undefined where there is nothing to give: the lead magnet was deleted, or its plugin is not composed any more. */
export async function giftOf(
  ctx: ReadContext,
  workspace: Workspace,
  leadMagnetId: string | null,
): Promise<GivenLink | undefined> {
  const leadMagnets = leadMagnetsOf(ctx);
  const found = leadMagnetId === null ? undefined : await leadMagnets?.find(ctx.trx, leadMagnetId);
  if (found === undefined) return undefined;
  const url = await leadMagnets?.giftUrl(ctx.trx, workspace, found.id);
  return url === undefined ? undefined : { label: found.title, url };
}
