/*
 * For orientation beside the floor: the same work on SQLite, but requests that arrive in one turn of the event loop
 * share a transaction and are answered after its commit. The delivery renders the mail.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { announce, readSettings } from '../contestant.ts';
import { createSqliteAccept } from './accept-sqlite.ts';
import { createId } from './identifiers.ts';
import { refuse, sendRoute, writeFloorResponse } from './send-message.ts';

const settings = readSettings();
const { database, accept, announcement } = createSqliteAccept(settings, 'variables');

interface Waiting {
  request: FastifyRequest;
  reply: FastifyReply;
  requestId: string;
}

let waiting: Waiting[] = [];
const acceptAll = database.transaction((batch: Waiting[]) =>
  batch.map(({ request, requestId }) => accept(request, requestId)),
).immediate;

function commitWaiting(): void {
  const batch = waiting;
  waiting = [];
  try {
    const answers = acceptAll(batch);
    for (const [index, { reply, requestId }] of batch.entries()) {
      writeFloorResponse(reply, answers[index] as (typeof answers)[number], requestId);
    }
  } catch {
    const failure = refuse(500, 'api_error', 'internal_error', 'The send could not be stored.');
    for (const { reply, requestId } of batch) writeFloorResponse(reply, failure, requestId);
  }
}

const server = Fastify({ bodyLimit: 15 * 1024 * 1024 });
server.post(sendRoute, (request, reply) => {
  if (waiting.length === 0) setImmediate(commitWaiting);
  waiting.push({ request, reply, requestId: createId('req_', Date.now()) });
});

const address = await server.listen({ port: settings.port, host: '127.0.0.1' });
announce({ ...announcement, port: Number(new URL(address).port) });
