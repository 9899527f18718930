/*
 * Planted fault: the floor, but one send in fifty is answered and then rolled back. The row count must detect it.
 */
import Fastify from 'fastify';
import { announce, readSettings } from '../contestant.ts';
import { createSqliteAccept } from '../floors/accept-sqlite.ts';
import { createId } from '../floors/identifiers.ts';
import { sendRoute, writeFloorResponse } from '../floors/send-message.ts';

const settings = readSettings();
const { database, accept, announcement } = createSqliteAccept(settings, 'variables');
let requests = 0;

const server = Fastify();
server.post(sendRoute, (request, reply) => {
  const requestId = createId('req_', Date.now());
  requests += 1;
  database.exec('BEGIN IMMEDIATE');
  const answer = accept(request, requestId);
  database.exec(requests % 50 === 0 ? 'ROLLBACK' : 'COMMIT');
  writeFloorResponse(reply, answer, requestId);
});

const address = await server.listen({ port: settings.port, host: '127.0.0.1' });
announce({ ...announcement, port: Number(new URL(address).port) });
