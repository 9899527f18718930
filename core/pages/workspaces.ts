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
  /** Every scope that the visitor has there; undefined for every scope. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** At least one. */
  readonly sides: readonly WorkspaceSide[];
}

const bothSides: readonly WorkspaceSide[] = ['live', 'sandbox'];

/** The plan sandbox has no live side. Undefined if no side is left. */
function visibleOf(workspace: Workspace, rights: VisitorWorkspace | undefined): VisibleWorkspace | undefined {
  const given = rights?.sides ?? bothSides;
  const sides = workspace.plan.name === 'sandbox' ? given.filter((side) => side === 'sandbox') : given;
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
  const rights = new Map(workspaces.map((one) => [one.id, one]));
  const ids = [...rights.keys()].sort().slice(0, limit);
  const found = await Promise.all(ids.map((id) => context.workspace(id)));
  return found.flatMap((workspace) =>
    workspace === undefined ? [] : (visibleOf(workspace, rights.get(workspace.id)) ?? []),
  );
}

/** A workspace by its id. @throws workspace_not_found if it does not exist, or if the visitor may not see it */
export async function visibleWorkspace(
  context: PublicRouteContext,
  { workspaces }: Pick<PageVisitor, 'workspaces'>,
  id: string,
): Promise<VisibleWorkspace> {
  const rights = workspaces === 'all' ? undefined : workspaces.find((one) => one.id === id);
  const mayAsk = workspaces === 'all' || rights !== undefined;
  const workspace = mayAsk ? await context.workspace(id) : undefined;
  const visible = workspace === undefined ? undefined : visibleOf(workspace, rights);
  if (visible === undefined) throw coreErrors.workspace_not_found({ id: id.slice(0, 100) });
  return visible;
}

/** Whether the visitor has the scope in the workspace. */
export const hasScope = ({ scopes }: Pick<VisibleWorkspace, 'scopes'>, scope: string): boolean =>
  scopes === undefined || scopes.has(scope);

/** A handle on the sides that the visitor may see. `reason` documents why a page shows them together. */
export const onVisibleSides = (
  { sides: [first, ...others] }: Pick<VisibleWorkspace, 'sides'>,
  handle: WorkspaceHandle,
  reason: string,
): WorkspaceHandle => (others.length > 0 ? handle.bothSides(reason) : handle.onSide(first === 'sandbox'));
