/*
 * For orientation beside the floor of the tool endpoint: JSON-RPC by hand on plain node:http, with a list whose bytes are made
 * once. No protocol checks, no key, no limits, no database: the minimum that answers at all.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce, readSettings } from '../contestant.ts';
import { recordOf, toolDefinitions } from '../mcp-fixture.ts';

const settings = readSettings();
const list = Buffer.from(JSON.stringify({ tools: toolDefinitions() }));

interface Message {
  id: number;
  method: string;
  params: { arguments: { id: string; detail: string; limit: number } };
}

function answer({ id, method, params }: Message): Buffer {
  const head = `{"jsonrpc":"2.0","id":${id},"result":`;
  if (method === 'tools/list') return Buffer.concat([Buffer.from(head), list, Buffer.from('}')]);
  const record = JSON.stringify(recordOf(params.arguments));
  const content = `[{"type":"text","text":${JSON.stringify(record)}}]`;
  return Buffer.from(`${head}{"content":${content},"structuredContent":${record}}}`);
}

const http = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const bytes = answer(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
    response.end(bytes);
  });
});
http.listen(settings.port, '127.0.0.1', () => {
  announce({ port: (http.address() as AddressInfo).port, keys: ['postrider_live_unchecked'] });
});
