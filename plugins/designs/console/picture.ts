// The picture of a design, for pages of the console. Only a person who is signed in to the console can load it.
import { type ConsoleContext, type ConsoleFile, coreErrors } from '../../../core/index.ts';
import type { RowPicture } from '../../../core/unstable.ts';
import { serveThumbnail } from '../routes/serve-thumbnail.ts';

/** The picture of a design. */
export const pictureOfDesign = (
  ctx: Pick<ConsoleContext, 'link'>,
  { compositionId, name }: { readonly compositionId: string; readonly name: string },
): Extract<RowPicture, { src: string }> => ({
  src: ctx.link(`designs/${compositionId}/picture`),
  alt: `The design ${name}`,
});

/** The file of the picture. @throws composition_not_found */
export async function designPictureFile(ctx: ConsoleContext): Promise<ConsoleFile> {
  const { compositionId, version } = await ctx.calls.designs.read({
    compositionId: ctx.params['compositionId'] ?? '',
  });
  const name = { workspaceId: ctx.workspace.id, sandbox: ctx.side === 'sandbox', compositionId, version };
  return {
    async respond(route, request) {
      const served = await serveThumbnail(route, request, name);
      if (served === undefined) throw coreErrors.route_not_found({ path: '/console' });
      return served;
    },
  };
}
