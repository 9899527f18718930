// How the public pages of a workspace look: like its default brand.
import type { PublicRouteContext, Workspace } from '../../core/index.ts';
import type { PageLook } from '../../core/unstable.ts';
import { neutralLook } from '../../core/unstable.ts';
import type { BrandsService } from '../brand/index.ts';

/** The look of the workspace's pages; without a workspace that of the service. */
export async function lookOf(
  { services, ports, read }: PublicRouteContext,
  workspace: Workspace | undefined,
): Promise<PageLook> {
  if (workspace === undefined) return neutralLook(ports.service.name);
  const brands: BrandsService | undefined = services.brands;
  const brand = brands === undefined ? undefined : await read(workspace.id, (handle) => brands.look(handle));
  if (brand === undefined) return neutralLook(workspace.defaultFrom.name || workspace.name);
  const { name, palette, fonts } = brand;
  const { primary, background, text } = palette;
  return { name, primary, background, text, heading: fonts.heading, body: fonts.body };
}
