// Changes to the inbox itself: marking messages as seen, and deleting messages. Sends never change.
import { type PublicRequest, type PublicRouteContext, z } from '../../../core/index.ts';
import {
  checkInput,
  jsonResponse,
  noContentResponse,
  type PageVisitor,
  pageRoute,
  queryOf,
} from '../../../core/unstable.ts';
import { gate } from '../access.ts';
import { listSizes, markSeen, removeMessages } from '../store.ts';
import { checkChange, onSides, requestedWorkspaces } from '../visible-workspaces.ts';
import { messageAt, workspaceQuery } from './find-message.ts';

const scopeQuery = z.strictObject(workspaceQuery);

const requestedScope = (ctx: PublicRouteContext, request: PublicRequest, visitor: PageVisitor) =>
  requestedWorkspaces(ctx, visitor, checkInput(scopeQuery, queryOf(request)).workspace);

/** Marks one message as seen. */
export const markMessageSeen = pageRoute(
  gate,
  { http: 'POST /inbox/messages/{id}/seen', description: 'Marks a message as read.' },
  async (ctx, request, visitor) => {
    const { visible, row } = await messageAt(ctx, request, visitor);
    await ctx.transact(row.workspace_id, ({ trx, now }) => markSeen(onSides(visible, trx), row.send_id, now));
    return noContentResponse();
  },
);

/** Marks all messages as seen. */
export const markMessagesSeen = pageRoute(
  gate,
  { http: 'POST /inbox/messages/seen', description: 'Marks all messages, or those of one workspace, as read.' },
  async (ctx, request, visitor) => {
    for (const visible of await requestedScope(ctx, request, visitor))
      await ctx.transact(visible.workspace.id, ({ trx, now }) => markSeen(onSides(visible, trx), undefined, now));
    return noContentResponse();
  },
);

/** Removes one message. */
export const deleteMessage = pageRoute(
  gate,
  { http: 'DELETE /inbox/messages/{id}', description: 'Removes a message from the inbox. Its send stays.' },
  async (ctx, request, visitor) => {
    const { visible, row } = await messageAt(ctx, request, visitor);
    checkChange(visible);
    const deleted = await ctx.transact(row.workspace_id, ({ trx }) =>
      removeMessages(onSides(visible, trx), [row.send_id]),
    );
    return jsonResponse(request, { deleted });
  },
);

/** Empties the inbox. */
export const deleteMessages = pageRoute(
  gate,
  { http: 'DELETE /inbox/messages', description: 'Deletes all messages, or those of one workspace. The sends stay.' },
  async (ctx, request, visitor) => {
    const scope = await requestedScope(ctx, request, visitor);
    for (const visible of scope) checkChange(visible);
    let deleted = 0;
    for (const visible of scope) {
      deleted += await ctx.transact(visible.workspace.id, async ({ trx }) => {
        const handle = onSides(visible, trx);
        const messages = await listSizes(handle);
        return removeMessages(
          handle,
          messages.map(({ send_id: sendId }) => sendId),
        );
      });
    }
    return jsonResponse(request, { deleted });
  },
);
