// The appearance of a workspace's public pages: from the plugin that provides the service `pageLooks`, else neutral. Called
// by the routes of plugins.
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import type { PublicRouteContext } from '../contract/declaration/public-route.ts';
import { neutralAppearance, type PageAppearance } from './public-page.ts';

/** `ctx.services.pageLooks`. */
export interface PageAppearances {
  /** The appearance of the workspace's pages; undefined if it has no own appearance. */
  of(handle: WorkspaceHandle): Promise<PageAppearance | undefined>;
}

declare module '../contract/open.ts' {
  interface Services {
    pageLooks?: PageAppearances;
  }
}

/** The appearance of the workspace's pages; without a workspace, the appearance of the service. */
export async function pageAppearanceOf(
  { services, ports, read }: PublicRouteContext,
  workspace: Workspace | undefined,
): Promise<PageAppearance> {
  if (workspace === undefined) return neutralAppearance(ports.service.name);
  const { pageLooks } = services;
  const own = pageLooks === undefined ? undefined : await read(workspace.id, ({ trx }) => pageLooks.of(trx));
  return own ?? neutralAppearance(workspace.defaultFrom.name || workspace.name);
}
