import { entityResponse, entityTag, z } from '../../../core/index.ts';
import { checkInput, type Gate, pageRoute, privateHeaders, queryOf } from '../../../core/unstable.ts';
import { presentMessage } from '../present.ts';
import { readBoth } from '../scope.ts';
import { mailOf, messageAt, placeQuery } from './place.ts';

const readQuery = z.strictObject(placeQuery);

/** One message with all its parts, its links and the timeline of its send. */
export const readMessage = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /inbox/messages/{id}', description: 'One message of the development inbox, with all its parts.' },
    async (context, request, access) => {
      const row = await messageAt(context, request, access, checkInput(readQuery, queryOf(request)));
      const { sendReports } = context.services;
      const send = await readBoth(context, row.workspace_id, (handle) => sendReports.read(handle, row.send_id));
      // A message never changes; only its send does. If the client has the current version of both, the message is not opened.
      const tag = entityTag(JSON.stringify([row, send]));
      const known = entityResponse(request, tag, '', '', privateHeaders);
      if (known.status === 304) return known;
      const body = JSON.stringify(presentMessage(row, await mailOf(context, row), send));
      return entityResponse(request, tag, body, 'application/json; charset=utf-8', privateHeaders);
    },
  );
