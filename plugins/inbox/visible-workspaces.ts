// The workspaces of a request, limited to those that its caller may see. All look-ups of the routes use this file, so that they
// never read another workspace.
import type { PublicRouteContext, WorkspaceHandle } from '../../core/index.ts';
import { findRawFault, type PageAccess, reachWorkspace, visibleWorkspaces } from '../../core/unstable.ts';
import type { SendPublic } from '../email/index.ts';
import { errors } from './errors.ts';
import { findMessage } from './store.ts';
import type { InboxMessageRow } from './tables.ts';

/** The maximum number of workspaces shown together. If there are more, a request must name one. */
export const maxTogether = 20;

/** The workspace ids of a request: the named one, or all visible ones. @throws inbox_workspace_required */
export async function scopeOf(
  ctx: PublicRouteContext,
  access: PageAccess,
  requested: string | undefined,
): Promise<readonly string[]> {
  if (requested !== undefined) return [(await reachWorkspace(ctx, access, requested)).id];
  const visible = await visibleWorkspaces(ctx, access, maxTogether + 1);
  if (visible.length > maxTogether) throw errors.inbox_workspace_required({ limit: maxTogether });
  return visible.map(({ id }) => id);
}

/** The first result of `find` in the caller's workspaces. @throws inbox_message_not_found */
async function reach<T>(
  ctx: PublicRouteContext,
  access: PageAccess,
  requested: string | undefined,
  id: string,
  find: (workspaceId: string) => Promise<T | undefined>,
): Promise<T> {
  const missing = () => errors.inbox_message_not_found({ id: id.slice(0, 100) });
  // No message has such an id, and databases reject it.
  if (findRawFault(id) !== undefined) throw missing();
  const scope = await scopeOf(ctx, access, requested);
  const found = (await Promise.all(scope.map(find))).find((row) => row !== undefined);
  if (found === undefined) throw missing();
  return found;
}

/** Reads the sends of both sides of a workspace, because the inbox shows them together. */
export const readBoth = <T>(
  ctx: PublicRouteContext,
  workspaceId: string,
  work: (handle: WorkspaceHandle) => Promise<T>,
): Promise<T> => ctx.read(workspaceId, ({ trx }) => work(trx.bothSides('the inbox shows the mail of both sides')));

/** A message and its workspace. @throws inbox_message_not_found, even if it exists and the caller may not see it */
export const findVisibleMessage = (
  ctx: PublicRouteContext,
  access: PageAccess,
  requested: string | undefined,
  id: string,
): Promise<InboxMessageRow> =>
  reach(ctx, access, requested, id, (workspaceId) => readBoth(ctx, workspaceId, (handle) => findMessage(handle, id)));

/** A send, its workspace, and its row in the list. */
export interface VisibleSend {
  readonly workspace: string;
  readonly send: SendPublic;
  readonly row: InboxMessageRow | undefined;
}

/** A send, with or without a message. @throws inbox_message_not_found, even if it exists and the caller may not see it */
export const findVisibleSend = (
  ctx: PublicRouteContext,
  access: PageAccess,
  requested: string | undefined,
  id: string,
): Promise<VisibleSend> =>
  reach(ctx, access, requested, id, (workspace) =>
    readBoth(ctx, workspace, async (handle) => {
      const send = await ctx.services.sendReports.read(handle, id);
      if (send === undefined) return undefined;
      return { workspace, send, row: await findMessage(handle, id) };
    }),
  );
