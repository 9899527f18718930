/*
 * The same with OAuth tokens of the service's own server: token look-up with grant and member, both limits, scope, validation, answer.
 */
import { announce, readSettings } from '../contestant.ts';
import { serveWithFastify } from '../fastify-server.ts';
import { createMcpService } from '../mcp-service.ts';
import { requestTokens } from '../mcp-tokens.ts';

const settings = readSettings();
const { service, workspaceIds } = await createMcpService(settings);
const port = await serveWithFastify(service, settings.port);
announce({ port, keys: await requestTokens(`http://127.0.0.1:${port}`, workspaceIds, settings.keys) });
