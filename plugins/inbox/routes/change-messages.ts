// Changes to the inbox itself: marking messages as seen, and deleting messages. Sends never change.
import { type PublicRequest, type PublicRouteContext, type WorkspaceHandle, z } from '../../../core/index.ts';
import {
  checkInput,
  doneAnswer,
  type Gate,
  jsonAnswer,
  type PageAccess,
  pageRoute,
  queryOf,
} from '../../../core/unstable.ts';
import { scopeOf } from '../scope.ts';
import { listSizes, markSeen, removeMessages } from '../store.ts';
import { messageAt, placeQuery } from './place.ts';

/** A handle on the messages of both sides. */
const shown = (trx: WorkspaceHandle): WorkspaceHandle => trx.bothSides('the inbox shows both sides');

const scopeQuery = z.strictObject(placeQuery);

const askedScope = (context: PublicRouteContext, request: PublicRequest, access: PageAccess) =>
  scopeOf(context, access, checkInput(scopeQuery, queryOf(request)).workspace);

/** Marks one message as seen. */
export const seeMessage = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'POST /inbox/messages/{id}/seen', description: 'Marks a message as read.' },
    async (context, request, access) => {
      const row = await messageAt(context, request, access);
      await context.transact(row.workspace_id, ({ trx, now }) => markSeen(shown(trx), row.send_id, now));
      return doneAnswer();
    },
  );

/** Marks all messages as seen. */
export const seeMessages = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'POST /inbox/messages/seen', description: 'Marks all messages, or those of one workspace, as read.' },
    async (context, request, access) => {
      for (const id of await askedScope(context, request, access))
        await context.transact(id, ({ trx, now }) => markSeen(shown(trx), undefined, now));
      return doneAnswer();
    },
  );

/** Removes one message. */
export const deleteMessage = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'DELETE /inbox/messages/{id}', description: 'Removes a message from the inbox. Its send stays.' },
    async (context, request, access) => {
      const row = await messageAt(context, request, access);
      const deleted = await context.transact(row.workspace_id, ({ trx }) => removeMessages(shown(trx), [row.send_id]));
      return jsonAnswer(request, { deleted });
    },
  );

/** Empties the inbox. */
export const deleteMessages = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'DELETE /inbox/messages', description: 'Empties the inbox, or the one of a workspace. The sends stay.' },
    async (context, request, access) => {
      let deleted = 0;
      for (const id of await askedScope(context, request, access)) {
        deleted += await context.transact(id, async ({ trx }) => {
          const messages = await listSizes(shown(trx));
          return removeMessages(
            shown(trx),
            messages.map(({ send_id: sendId }) => sendId),
          );
        });
      }
      return jsonAnswer(request, { deleted });
    },
  );
