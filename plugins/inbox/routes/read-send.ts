import { z } from '../../../core/index.ts';
import { checkInput, jsonResponse, pageRoute, queryOf } from '../../../core/unstable.ts';
import type { SendPublic } from '../../email/index.ts';
import { gate } from '../access.ts';
import { hasMail } from '../present.ts';
import { findVisibleSend } from '../visible-workspaces.ts';
import type { SendDetail } from '../wire.ts';
import { workspaceQuery } from './find-message.ts';

const readQuery = z.strictObject(workspaceQuery);

/** One send with its timeline, even without a message: the send failed before its mail was made, or the message was removed. */
export const readSend = pageRoute(
  gate,
  {
    http: 'GET /inbox/sends/{id}',
    description: 'One send with its status and timeline, even if the inbox has no message of it.',
  },
  async (ctx, request, visitor) => {
    const { workspace: requested } = checkInput(readQuery, queryOf(request));
    const { workspace, send, row } = await findVisibleSend(ctx, visitor, requested, request.params.id ?? '');
    const response: SendDetail<SendPublic> = {
      id: send.id,
      workspace,
      has_message: row !== undefined && hasMail(row),
      listed: row !== undefined,
      unread: row?.seen_at === null,
      send,
    };
    return jsonResponse(request, response);
  },
);
