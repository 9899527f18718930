// Changes to the inbox itself: marking messages as seen, and deleting messages. Sends never change.
import { type PublicRequest, type PublicRouteContext, type WorkspaceHandle, z } from '../../../core/index.ts';
import {
  checkInput,
  jsonResponse,
  noContentResponse,
  type PageAccess,
  type PageGate,
  pageRoute,
  queryOf,
} from '../../../core/unstable.ts';
import { listSizes, markSeen, removeMessages } from '../store.ts';
import { scopeOf } from '../visible-workspaces.ts';
import { messageAt, workspaceQuery } from './find-message.ts';

/** A handle on the messages of both sides. */
const bothSidesOf = (trx: WorkspaceHandle): WorkspaceHandle => trx.bothSides('the inbox shows both sides');

const scopeQuery = z.strictObject(workspaceQuery);

const askedScope = (ctx: PublicRouteContext, request: PublicRequest, access: PageAccess) =>
  scopeOf(ctx, access, checkInput(scopeQuery, queryOf(request)).workspace);

/** Marks one message as seen. */
export const markMessageSeen = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'POST /inbox/messages/{id}/seen', description: 'Marks a message as read.' },
    async (ctx, request, access) => {
      const row = await messageAt(ctx, request, access);
      await ctx.transact(row.workspace_id, ({ trx, now }) => markSeen(bothSidesOf(trx), row.send_id, now));
      return noContentResponse();
    },
  );

/** Marks all messages as seen. */
export const markMessagesSeen = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'POST /inbox/messages/seen', description: 'Marks all messages, or those of one workspace, as read.' },
    async (ctx, request, access) => {
      for (const id of await askedScope(ctx, request, access))
        await ctx.transact(id, ({ trx, now }) => markSeen(bothSidesOf(trx), undefined, now));
      return noContentResponse();
    },
  );

/** Removes one message. */
export const deleteMessage = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'DELETE /inbox/messages/{id}', description: 'Removes a message from the inbox. Its send stays.' },
    async (ctx, request, access) => {
      const row = await messageAt(ctx, request, access);
      const deleted = await ctx.transact(row.workspace_id, ({ trx }) =>
        removeMessages(bothSidesOf(trx), [row.send_id]),
      );
      return jsonResponse(request, { deleted });
    },
  );

/** Empties the inbox. */
export const deleteMessages = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'DELETE /inbox/messages', description: 'Empties the inbox, or the one of a workspace. The sends stay.' },
    async (ctx, request, access) => {
      let deleted = 0;
      for (const id of await askedScope(ctx, request, access)) {
        deleted += await ctx.transact(id, async ({ trx }) => {
          const messages = await listSizes(bothSidesOf(trx));
          return removeMessages(
            bothSidesOf(trx),
            messages.map(({ send_id: sendId }) => sendId),
          );
        });
      }
      return jsonResponse(request, { deleted });
    },
  );
