/*
 * The MCP endpoint with API keys: key look-up, both limits, scope, validation, answer.
 */
import { announce, readSettings } from '../contestant.ts';
import { serveWithFastify } from '../fastify-server.ts';
import { createMcpService } from '../mcp-service.ts';

const settings = readSettings();
const { service, workspaceIds } = await createMcpService(settings);
const keys: string[] = [];
for (let count = 0; count < settings.keys; count += 1) {
  const workspaceId = workspaceIds[count % workspaceIds.length] ?? '';
  keys.push((await service.keys.create({ workspaceId, name: `bench ${count}`, preset: 'full' })).secret);
}
announce({ port: await serveWithFastify(service, settings.port), keys });
