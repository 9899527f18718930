/*
 * Postrider behind Fastify, as any embedding program would use it, on SQLite or PostgreSQL.
 */
import { announce, readSettings } from '../contestant.ts';
import { createContestantService } from '../contestant-service.ts';
import { serveWithFastify } from '../fastify-server.ts';

const settings = readSettings();
const { service, keys, counts, durability } = await createContestantService(settings);
const port = await serveWithFastify(service, settings.port);
announce({ port, keys, counts, durability });
