import { entityResponse, entityTag, z } from '../../../core/index.ts';
import { checkInput, type PageGate, pageRoute, privateHeaders, queryOf } from '../../../core/unstable.ts';
import { presentMessage } from '../present.ts';
import { readBoth } from '../visible-workspaces.ts';
import { mailOf, messageAt, workspaceQuery } from './find-message.ts';

const readQuery = z.strictObject(workspaceQuery);

/** One message with all its parts, its links and the timeline of its send. */
export const readMessage = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /inbox/messages/{id}', description: 'One message of the development inbox, with all its parts.' },
    async (ctx, request, access) => {
      const row = await messageAt(ctx, request, access, checkInput(readQuery, queryOf(request)));
      const { sendReports } = ctx.services;
      const send = await readBoth(ctx, row.workspace_id, (handle) => sendReports.read(handle, row.send_id));
      // A message never changes; only its send does. If the client has the current version of both, the message is not opened.
      const tag = entityTag(JSON.stringify([row, send]));
      const notModified = entityResponse(request, tag, '', '', privateHeaders);
      if (notModified.status === 304) return notModified;
      const body = JSON.stringify(presentMessage(row, await mailOf(ctx, row), send));
      return entityResponse(request, tag, body, 'application/json; charset=utf-8', privateHeaders);
    },
  );
