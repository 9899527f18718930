/*
 * The floor for accepted sends on SQLite: Fastify and better-sqlite3 by hand, WAL with synchronous FULL, one
 * transaction per request, the mail rendered at accept.
 */
import Fastify from 'fastify';
import { announce, readSettings } from '../contestant.ts';
import { createSqliteAccept } from './accept-sqlite.ts';
import { createId } from './identifiers.ts';
import { sendRoute, writeFloorResponse } from './send-message.ts';

const settings = readSettings();
const { database, accept, announcement } = createSqliteAccept(settings, 'html');
const acceptDurably = database.transaction(accept).immediate;

const server = Fastify({ bodyLimit: 15 * 1024 * 1024 });
server.post(sendRoute, (request, reply) => {
  const requestId = createId('req_', Date.now());
  writeFloorResponse(reply, acceptDurably(request, requestId), requestId);
});

const address = await server.listen({ port: settings.port, host: '127.0.0.1' });
announce({ ...announcement, port: Number(new URL(address).port) });
