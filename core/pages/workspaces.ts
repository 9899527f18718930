// The workspaces that the caller of a page may see. All look-ups of a page go through here, so that it never reads
// another workspace.

import type { Workspace } from '../contract/context/workspace.ts';
import type { PublicRouteContext } from '../contract/declaration/public-route.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { PageAccess } from './access.ts';

/** Whether the caller may see the workspace, which need not exist. */
const mayReach = ({ workspaces }: PageAccess, id: string): boolean => workspaces === 'all' || workspaces.includes(id);

/** A workspace by its id. @throws workspace_not_found if it does not exist, or if the caller may not see it */
export async function reachWorkspace(context: PublicRouteContext, access: PageAccess, id: string): Promise<Workspace> {
  const found = mayReach(access, id) ? await context.workspace(id) : undefined;
  if (found === undefined) throw coreErrors.workspace_not_found({ id: id.slice(0, 100) });
  return found;
}

/** The side that a page shows: the requested side, else live. The plan sandbox has no live side. */
export const pageSide = (requested: 'live' | 'sandbox' | undefined, { plan }: Workspace): 'live' | 'sandbox' =>
  requested ?? (plan.name === 'sandbox' ? 'sandbox' : 'live');

/** Up to `limit` workspaces that the caller may see, the oldest first. */
export async function visibleWorkspaces(
  context: PublicRouteContext,
  { workspaces }: PageAccess,
  limit: number,
): Promise<readonly Workspace[]> {
  if (workspaces === 'all') return context.workspaces({ limit });
  const ids = [...new Set(workspaces)].sort().slice(0, limit);
  const found = await Promise.all(ids.map((id) => context.workspace(id)));
  return found.flatMap((workspace) => workspace ?? []);
}
