// The workspaces of a request, limited to those that its visitor may see. All look-ups of the routes use this file, so that they
// never read another workspace or side.
import type { PublicRouteContext, WorkspaceHandle } from '../../core/index.ts';
import {
  findRawFault,
  hasScope,
  onVisibleSides,
  type PageVisitor,
  type VisibleWorkspace,
  visibleWorkspace,
  visibleWorkspaces,
} from '../../core/unstable.ts';
import type { SendPublic } from '../email/index.ts';
import { changeScope, refusals } from './access.ts';
import { errors } from './errors.ts';
import { findMessage } from './store.ts';
import type { InboxMessageRow } from './tables.ts';

/** The maximum number of workspaces shown together. If there are more, a request must name one. */
export const maxTogether = 20;

/** The workspaces of a request: the named one, or all visible ones. @throws inbox_workspace_required */
export async function requestedWorkspaces(
  ctx: PublicRouteContext,
  visitor: PageVisitor,
  requested: string | undefined,
): Promise<readonly VisibleWorkspace[]> {
  if (requested !== undefined) return [await visibleWorkspace(ctx, visitor, requested)];
  const visible = await visibleWorkspaces(ctx, visitor, maxTogether + 1);
  if (visible.length > maxTogether) throw errors.inbox_workspace_required({ limit: maxTogether });
  return visible;
}

/** Whether the visitor may delete messages of the workspace and report about them. */
export const mayChange = (visible: VisibleWorkspace): boolean => hasScope(visible, changeScope);

/** @throws inbox_scope_missing */
export function checkChange(visible: VisibleWorkspace): void {
  if (!mayChange(visible)) throw refusals.scopeMissing({ scopes: [changeScope] });
}

/** A message or a send that was found, and its workspace. */
interface FoundInWorkspace<T> {
  readonly visible: VisibleWorkspace;
  readonly found: T;
}

/** The first result of `find` in the visitor's workspaces. @throws inbox_message_not_found */
async function findInWorkspaces<T>(
  ctx: PublicRouteContext,
  visitor: PageVisitor,
  requested: string | undefined,
  id: string,
  find: (handle: WorkspaceHandle) => Promise<T | undefined>,
): Promise<FoundInWorkspace<T>> {
  const missing = () => errors.inbox_message_not_found({ id: id.slice(0, 100) });
  // The id has characters that databases reject, so no message has it.
  if (findRawFault(id) !== undefined) throw missing();
  const scope = await requestedWorkspaces(ctx, visitor, requested);
  const results = await Promise.all(
    scope.map(async (visible): Promise<FoundInWorkspace<T> | undefined> => {
      const found = await readVisible(ctx, visible, find);
      return found === undefined ? undefined : { visible, found };
    }),
  );
  const first = results.find((result) => result !== undefined);
  if (first === undefined) throw missing();
  return first;
}

/** A handle on the visible sides of a workspace. */
export const onSides = (visible: VisibleWorkspace, handle: WorkspaceHandle): WorkspaceHandle =>
  onVisibleSides(visible, handle, 'the inbox shows the mail of both sides');

/** Reads the visible sides of a workspace, because the inbox shows them together. */
export const readVisible = <T>(
  ctx: PublicRouteContext,
  visible: VisibleWorkspace,
  work: (handle: WorkspaceHandle) => Promise<T>,
): Promise<T> => ctx.read(visible.workspace.id, ({ trx }) => work(onSides(visible, trx)));

/** A message, and its workspace. */
export interface VisibleMessage {
  readonly visible: VisibleWorkspace;
  readonly row: InboxMessageRow;
}

/** @throws inbox_message_not_found, even if the message exists and the visitor may not see it */
export async function findVisibleMessage(
  ctx: PublicRouteContext,
  visitor: PageVisitor,
  requested: string | undefined,
  id: string,
): Promise<VisibleMessage> {
  const { visible, found } = await findInWorkspaces(ctx, visitor, requested, id, (handle) => findMessage(handle, id));
  return { visible, row: found };
}

/** A send, its workspace, and its row in the list. */
export interface VisibleSend {
  readonly workspace: string;
  readonly send: SendPublic;
  readonly row: InboxMessageRow | undefined;
}

/** A send, with or without a message. @throws inbox_message_not_found, even if it exists and the visitor may not see it */
export async function findVisibleSend(
  ctx: PublicRouteContext,
  visitor: PageVisitor,
  requested: string | undefined,
  id: string,
): Promise<VisibleSend> {
  const { visible, found } = await findInWorkspaces(ctx, visitor, requested, id, async (handle) => {
    const send = await ctx.services.sendReports.read(handle, id);
    return send === undefined ? undefined : { send, row: await findMessage(handle, id) };
  });
  return { workspace: visible.workspace.id, ...found };
}
