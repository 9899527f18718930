/*
 * One small read through the whole pipeline: GET /v1/workspace with key look-up, both limits, scope, database, answer.
 */
import { announce, readSettings } from '../contestant.ts';
import { createContestantService } from '../contestant-service.ts';
import { serveWithFastify } from '../fastify-server.ts';

const settings = readSettings();
const { service, keys } = await createContestantService(settings);
const port = await serveWithFastify(service, settings.port);
announce({ port, keys });
