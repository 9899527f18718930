/*
 * The floor for the MCP endpoint: the SDK's low-level server on plain node:http, stateless as in its own examples
 * (one server and one transport per request), JSON answers, schemas made once. No key, no limits, no database.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import { announce, readSettings } from '../contestant.ts';
import { recordOf, shortDefinitions, toolDefinitions } from '../mcp-fixture.ts';

const settings = readSettings();
const fullList = { tools: toolDefinitions() } as ListToolsResult;
const short = { tools: shortDefinitions() } as ListToolsResult;
type Read = Parameters<typeof recordOf>[0];

function makeServer(list: ListToolsResult): Server {
  const server = new Server({ name: 'floor', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => list);
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const input = params.name === 'call_tool' ? params.arguments?.arguments : params.arguments;
    const record = recordOf(input as Read);
    return { content: [{ type: 'text', text: JSON.stringify(record) }], structuredContent: record };
  });
  return server;
}

const http = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const server = makeServer(request.url?.includes('schemas=full') ? fullList : short);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => {
      void transport.close();
      void server.close();
    });
    await server.connect(transport as Parameters<Server['connect']>[0]);
    await transport.handleRequest(request, response, JSON.parse(Buffer.concat(chunks).toString('utf8')));
  });
});
http.listen(settings.port, '127.0.0.1', () => {
  announce({ port: (http.address() as AddressInfo).port, keys: ['postrider_live_unchecked'] });
});
