import { entityResponse, entityTag, z } from '../../../core/index.ts';
import { checkInput, pageRoute, privateHeaders, queryOf } from '../../../core/unstable.ts';
import { gate } from '../access.ts';
import { presentMessage } from '../present.ts';
import { readVisible } from '../visible-workspaces.ts';
import { mailOf, messageAt, workspaceQuery } from './find-message.ts';

const readQuery = z.strictObject(workspaceQuery);

/** One message with all its parts, its links and the timeline of its send. */
export const readMessage = pageRoute(
  gate,
  { http: 'GET /inbox/messages/{id}', description: 'One message of the development inbox, with all its parts.' },
  async (ctx, request, visitor) => {
    const message = await messageAt(ctx, request, visitor, checkInput(readQuery, queryOf(request)));
    const { visible, row } = message;
    const { sendReports } = ctx.services;
    const send = await readVisible(ctx, visible, (handle) => sendReports.read(handle, row.send_id));
    // A message never changes; only its send does. If the client has the current version of both, the message is not opened.
    const tag = entityTag(JSON.stringify([row, send]));
    const notModified = entityResponse(request, tag, '', '', privateHeaders);
    if (notModified.status === 304) return notModified;
    const body = JSON.stringify(presentMessage(row, await mailOf(ctx, message), send));
    return entityResponse(request, tag, body, 'application/json; charset=utf-8', privateHeaders);
  },
);
