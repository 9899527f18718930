/*
 * Workloads: tools/list with 120 tools, and tools/call of a small read, over the tool endpoint.
 * `npx tsx test/bench/mcp.ts --rounds 3 --seconds 3`
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Announcement } from './contestant.ts';
import type { RunningContestant } from './contestant-process.ts';
import { called, recordOf } from './mcp-fixture.ts';
import { measure, readOptions, type Workload } from './measure.ts';

const place = (...names: string[]): string => join(import.meta.dirname, ...names);
const messages = {
  list: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  call: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: called }),
} as const;
// The floor refuses a client that does not accept both types.
const accept = 'application/json, text/event-stream';

async function ask({ announcement, name }: RunningContestant, body: string) {
  const answer = await fetch(`http://127.0.0.1:${announcement.port}/v1/mcp?schemas=full`, {
    method: 'POST',
    headers: { authorization: `Bearer ${announcement.keys[0]}`, 'content-type': 'application/json', accept },
    body,
  });
  assert.equal(answer.status, 200, name);
  const { result } = (await answer.json()) as { result?: Record<string, unknown> };
  assert.ok(result, `${name} answers a result`);
  return result;
}

async function admit(contestant: RunningContestant) {
  const { tools } = (await ask(contestant, messages.list)) as {
    tools: { inputSchema: unknown; outputSchema: unknown }[];
  };
  assert.equal(tools.length, 120, contestant.name);
  assert.ok(JSON.stringify(tools).length > 100_000, `${contestant.name} lists whole schemas`);
  const { content, structuredContent } = await ask(contestant, messages.call);
  assert.deepEqual(structuredContent, recordOf(called.arguments), contestant.name);
  assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }], contestant.name);
  return { accepted: 0, suppressed: 0 };
}

const workload = (name: keyof typeof messages): Workload => ({
  name: `mcp-${name}`,
  floor: place('floors', 'mcp-sdk-low-level.ts'),
  orientation: [place('floors', 'mcp-hand-written.ts'), place('contestants', 'mcp-postrider-fastify.ts')],
  pipeline: 1,
  echo: false,
  durable: false,
  requests: ({ keys }: Announcement) =>
    keys.map(
      (key) =>
        `POST /v1/mcp?schemas=full HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: ${accept}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${messages[name].length}\r\n\r\n${messages[name]}`,
    ),
  admit,
  expectedRows: () => ({}),
});

const options = readOptions();
for (const name of ['list', 'call'] as const) await measure(workload(name), options);
