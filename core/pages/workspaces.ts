// The workspaces that the visitor of a page may see. All look-ups of a page go through here, so that it never reads another
// workspace or another side.

import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import type { PublicRouteContext } from '../contract/declaration/public-route.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { VisitorWorkspace, WorkspaceSide } from '../contract/ports/access.ts';
import type { PageVisitor } from './access.ts';

/** One workspace as the visitor may see it. */
export interface VisibleWorkspace {
  readonly workspace: Workspace;
  /** The scopes of the visitor in this workspace; undefined for all scopes. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** At least one. */
  readonly sides: readonly WorkspaceSide[];
}

const bothSides: readonly WorkspaceSide[] = ['live', 'sandbox'];

/** The workspace as the visitor may see it; undefined if they may see neither side. The plan sandbox has no live side. */
function visibleOf(workspace: Workspace, rights: VisitorWorkspace | undefined): VisibleWorkspace | undefined {
  const grantedSides = rights?.sides ?? bothSides;
  const sides = workspace.plan.name === 'sandbox' ? grantedSides.filter((side) => side === 'sandbox') : grantedSides;
  return sides.length === 0 ? undefined : { workspace, scopes: rights?.scopes, sides };
}

/** Up to `limit` workspaces that the visitor may see, the oldest first. */
export async function visibleWorkspaces(
  context: PublicRouteContext,
  { workspaces }: Pick<PageVisitor, 'workspaces'>,
  limit: number,
): Promise<readonly VisibleWorkspace[]> {
  if (workspaces === 'all')
    return (await context.workspaces({ limit })).flatMap((workspace) => visibleOf(workspace, undefined) ?? []);
  const rights = new Map(workspaces.map((visitorWorkspace) => [visitorWorkspace.id, visitorWorkspace]));
  const ids = [...rights.keys()].sort().slice(0, limit);
  const foundWorkspaces = await Promise.all(ids.map((id) => context.workspace(id)));
  return foundWorkspaces.flatMap((workspace) =>
    workspace === undefined ? [] : (visibleOf(workspace, rights.get(workspace.id)) ?? []),
  );
}

/** A workspace by its id. @throws workspace_not_found if it does not exist, or if the visitor may not see it */
export async function visibleWorkspace(
  context: PublicRouteContext,
  { workspaces }: Pick<PageVisitor, 'workspaces'>,
  id: string,
): Promise<VisibleWorkspace> {
  const rights = workspaces === 'all' ? undefined : workspaces.find((visitorWorkspace) => visitorWorkspace.id === id);
  const mayBeVisible = workspaces === 'all' || rights !== undefined;
  const workspace = mayBeVisible ? await context.workspace(id) : undefined;
  const visible = workspace === undefined ? undefined : visibleOf(workspace, rights);
  if (visible === undefined) throw coreErrors.workspace_not_found({ id: id.slice(0, 100) });
  return visible;
}

/** Whether the visitor has the scope in the workspace. */
export const hasScope = ({ scopes }: Pick<VisibleWorkspace, 'scopes'>, scope: string): boolean =>
  scopes === undefined || scopes.has(scope);

/** A handle on the sides that the visitor may see. `reason` documents why a page shows them together. */
export const onVisibleSides = (
  { sides: [first, ...otherSides] }: Pick<VisibleWorkspace, 'sides'>,
  handle: WorkspaceHandle,
  reason: string,
): WorkspaceHandle => (otherSides.length > 0 ? handle.bothSides(reason) : handle.onSide(first === 'sandbox'));
