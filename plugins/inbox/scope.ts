// The workspaces of a request, limited to those that its caller may see. All look-ups of the routes go through this file, so
// that they never read another workspace.
import type { PublicRouteContext } from '../../core/index.ts';
import type { PageAccess } from '../../core/unstable.ts';
import { findRawFault, reachWorkspace, visibleWorkspaces } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import { findMessage } from './store.ts';
import type { InboxMessageRow } from './tables.ts';

/** The most workspaces that are shown together; with more, a request must name one. */
export const maxTogether = 20;

/** The workspace ids of a request: the named one, or all visible ones. @throws inbox_workspace_required */
export async function scopeOf(
  context: PublicRouteContext,
  access: PageAccess,
  asked: string | undefined,
): Promise<readonly string[]> {
  if (asked !== undefined) return [(await reachWorkspace(context, access, asked)).id];
  const visible = await visibleWorkspaces(context, access, maxTogether + 1);
  if (visible.length > maxTogether) throw errors.inbox_workspace_required({ limit: maxTogether });
  return visible.map(({ id }) => id);
}

/** A message and its workspace. @throws inbox_message_not_found, also where the caller may not see it */
export async function reachMessage(
  context: PublicRouteContext,
  access: PageAccess,
  asked: string | undefined,
  id: string,
): Promise<InboxMessageRow> {
  // No message has such an id, and no database accepts it.
  if (findRawFault(id) !== undefined) throw errors.inbox_message_not_found({ id: id.slice(0, 100) });
  const scope = await scopeOf(context, access, asked);
  const found = await Promise.all(
    scope.map((workspaceId) => context.read(workspaceId, (handle) => findMessage(handle, id))),
  );
  const message = found.find((row) => row !== undefined);
  if (message === undefined) throw errors.inbox_message_not_found({ id: id.slice(0, 100) });
  return message;
}
