// The appearance of a workspace's public pages: from the plugin that provides the service `pageAppearances`, else neutral. Called
// by the routes of plugins.
import type { ReadContext } from '../contract/context/context.ts';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import type { PublicRouteContext } from '../contract/declaration/public-route.ts';
import { neutralAppearance, type PageAppearance } from './public-page.ts';

/** `ctx.services.pageAppearances`. */
export interface PageAppearances {
  /** The appearance of the workspace's pages; undefined if the workspace has not defined one. */
  of(handle: WorkspaceHandle): Promise<PageAppearance | undefined>;
}

declare module '../contract/open.ts' {
  interface Services {
    pageAppearances?: PageAppearances;
  }
}

/** The appearance of the workspace's pages. */
export const workspaceAppearance = async (
  { services, trx }: ReadContext,
  { defaultFrom, name }: Workspace,
): Promise<PageAppearance> => (await services.pageAppearances?.of(trx)) ?? neutralAppearance(defaultFrom.name || name);

/** The appearance of the workspace's pages; without a workspace, the appearance of the service. */
export const pageAppearanceOf = async (
  { ports, read }: PublicRouteContext,
  workspace: Workspace | undefined,
): Promise<PageAppearance> =>
  workspace === undefined
    ? neutralAppearance(ports.service.name)
    : read(workspace.id, (context) => workspaceAppearance(context, workspace));
