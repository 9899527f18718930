// The look of a workspace's public pages: from the plugin that provides the service `pageLooks`, else neutral. Called
// by the routes of plugins.
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { PublicRouteContext } from '../contract/public-route.ts';
import type { Workspace } from '../contract/workspace.ts';
import { neutralLook, type PageLook } from './public-page.ts';

/** `ctx.services.pageLooks`. */
export interface PageLooks {
  /** The look of the workspace's pages; undefined if it has no own look. */
  of(handle: WorkspaceHandle): Promise<PageLook | undefined>;
}

declare module '../contract/open.ts' {
  interface Services {
    pageLooks?: PageLooks;
  }
}

/** The look of the workspace's pages; without a workspace, the look of the service. */
export async function lookOf(
  { services, ports, read }: PublicRouteContext,
  workspace: Workspace | undefined,
): Promise<PageLook> {
  if (workspace === undefined) return neutralLook(ports.service.name);
  const { pageLooks } = services;
  const own = pageLooks === undefined ? undefined : await read(workspace.id, ({ trx }) => pageLooks.of(trx));
  return own ?? neutralLook(workspace.defaultFrom.name || workspace.name);
}
