import { z } from '../../../core/index.ts';
import { checkInput, type Gate, jsonAnswer, pageRoute, queryOf } from '../../../core/unstable.ts';
import type { SendPublic } from '../../email/index.ts';
import { holdsMail } from '../present.ts';
import { reachSend } from '../scope.ts';
import type { SendDetail } from '../wire.ts';
import { placeQuery } from './place.ts';

const readQuery = z.strictObject(placeQuery);

/** One send with its timeline, even without a message: the send failed before its mail was made, or the message was removed. */
export const readSend = (gate: Gate) =>
  pageRoute(
    gate,
    {
      http: 'GET /inbox/sends/{id}',
      description: 'One send with its status and timeline, also where the inbox holds no message of it.',
    },
    async (context, request, access) => {
      const { workspace: asked } = checkInput(readQuery, queryOf(request));
      const { workspace, send, row } = await reachSend(context, access, asked, request.params.id ?? '');
      const answer: SendDetail<SendPublic> = {
        id: send.id,
        workspace,
        has_message: row !== undefined && holdsMail(row),
        listed: row !== undefined,
        unread: row?.seen_at === null,
        send,
      };
      return jsonAnswer(request, answer);
    },
  );
