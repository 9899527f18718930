// Which workspaces a request is about: none but those that its caller may see. Every look-up of the routes goes
// through here, so that no id of another workspace is ever asked for.
import type { PublicRouteContext } from '../../core/index.ts';
import type { PageAccess } from '../../core/unstable.ts';
import { findRawFault, reachWorkspace, visibleWorkspaces } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import { findMessage } from './store.ts';
import type { InboxMessageRow } from './tables.ts';

/** So many workspaces are shown together; beyond, one has to be named. */
export const maxTogether = 20;

/** The ids that a request is about: the one it names, or all visible ones. @throws inbox_workspace_required */
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
  // No message has it, and no database takes it.
  if (findRawFault(id) !== undefined) throw errors.inbox_message_not_found({ id: id.slice(0, 100) });
  const scope = await scopeOf(context, access, asked);
  const found = await Promise.all(
    scope.map((workspaceId) => context.read(workspaceId, (handle) => findMessage(handle, id))),
  );
  const message = found.find((row) => row !== undefined);
  if (message === undefined) throw errors.inbox_message_not_found({ id: id.slice(0, 100) });
  return message;
}
