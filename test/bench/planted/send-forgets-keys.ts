/*
 * Planted fault: the floor, but each Idempotency-Key is replaced before it is looked up. The admission must detect it.
 */
import Fastify from 'fastify';
import { announce, readSettings } from '../contestant.ts';
import { createSqliteAccept } from '../floors/accept-sqlite.ts';
import { createId } from '../floors/identifiers.ts';
import { sendRoute, writeFloorResponse } from '../floors/send-message.ts';

const settings = readSettings();
const { database, accept, announcement } = createSqliteAccept(settings, 'variables');
const acceptDurably = database.transaction(accept).immediate;

const server = Fastify();
server.post(sendRoute, (request, reply) => {
  const requestId = createId('req_', Date.now());
  request.headers['idempotency-key'] = requestId;
  writeFloorResponse(reply, acceptDurably(request, requestId), requestId);
});

const address = await server.listen({ port: settings.port, host: '127.0.0.1' });
announce({ ...announcement, port: Number(new URL(address).port) });
