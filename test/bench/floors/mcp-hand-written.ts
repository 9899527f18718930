/*
 * For orientation beside the floor of the MCP endpoint: JSON-RPC by hand on plain node:http, with a list whose bytes are made
 * once. No protocol checks, no key, no limits, no database: the minimum that answers at all.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce, readSettings } from '../contestant.ts';
import { recordOf, shortDefinitions, toolDefinitions } from '../mcp-fixture.ts';

const settings = readSettings();
const fullList = Buffer.from(JSON.stringify({ tools: toolDefinitions() }));
const short = Buffer.from(JSON.stringify({ tools: shortDefinitions() }));
type Read = Parameters<typeof recordOf>[0];

interface Message {
  id: number;
  method: string;
  params: { name: string; arguments: Read | { arguments: Read } };
}

function answer({ id, method, params }: Message, list: Buffer): Buffer {
  const head = `{"jsonrpc":"2.0","id":${id},"result":`;
  if (method === 'tools/list') return Buffer.concat([Buffer.from(head), list, Buffer.from('}')]);
  const { arguments: input } = params;
  const record = JSON.stringify(recordOf('arguments' in input ? input.arguments : input));
  const content = `[{"type":"text","text":${JSON.stringify(record)}}]`;
  return Buffer.from(`${head}{"content":${content},"structuredContent":${record}}}`);
}

const http = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const list = request.url?.includes('schemas=full') ? fullList : short;
    const bytes = answer(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message, list);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
    response.end(bytes);
  });
});
http.listen(settings.port, '127.0.0.1', () => {
  announce({ port: (http.address() as AddressInfo).port, keys: ['postrider_live_unchecked'] });
});
