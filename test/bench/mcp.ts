/*
 * Workloads: tools/list with 250 tools, short and in full, and tools/call of a small read, by its name and through call_tool, over
 * the MCP endpoint, with API keys and with OAuth tokens. `npx tsx test/bench/mcp.ts --rounds 3 --seconds 3`
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Announcement } from './contestant.ts';
import type { RunningContestant } from './contestant-process.ts';
import { called, recordOf, toolCount } from './mcp-fixture.ts';
import { measure, readOptions, type Workload } from './measure.ts';

const pathTo = (...names: string[]): string => join(import.meta.dirname, ...names);
const message = (method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });

/** A request of a workload: the query of the endpoint's URL, and the message. */
interface Asked {
  readonly query: string;
  readonly body: string;
}

const workloads = {
  list: { query: '', body: message('tools/list') },
  'list-full': { query: '?schemas=full', body: message('tools/list') },
  call: { query: '', body: message('tools/call', called) },
  'call-any': { query: '?toolsets=core', body: message('tools/call', { name: 'call_tool', arguments: called }) },
} as const satisfies Readonly<Record<string, Asked>>;
/** The minimum size of a list, so that no contestant lists less. */
const minListSize = { list: 100_000, 'list-full': 500_000 } as const;
// The floor refuses a client that does not accept both types.
const accept = 'application/json, text/event-stream';

async function ask({ announcement, name }: RunningContestant, { query, body }: Asked) {
  const answer = await fetch(`http://127.0.0.1:${announcement.port}/v1/mcp${query}`, {
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
  for (const name of ['list', 'list-full'] as const) {
    const { tools } = (await ask(contestant, workloads[name])) as { tools: unknown[] };
    assert.equal(tools.length, toolCount, contestant.name);
    const { length } = JSON.stringify(tools);
    assert.ok(length > minListSize[name], `${contestant.name} lists ${length} characters`);
  }
  for (const name of ['call', 'call-any'] as const) {
    const { content, structuredContent } = await ask(contestant, workloads[name]);
    assert.deepEqual(structuredContent, recordOf(called.arguments), contestant.name);
    assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }], contestant.name);
  }
  return { accepted: 0, suppressed: 0 };
}

const workload = (name: keyof typeof workloads): Workload => ({
  name: `mcp-${name}`,
  floor: pathTo('floors', 'mcp-sdk-low-level.ts'),
  orientation: [
    pathTo('floors', 'mcp-hand-written.ts'),
    pathTo('contestants', 'mcp-postrider-fastify.ts'),
    pathTo('contestants', 'mcp-oauth-postrider-fastify.ts'),
  ],
  pipeline: 1,
  echo: false,
  durable: false,
  requests: ({ keys }: Announcement) =>
    keys.map(
      (key) =>
        `POST /v1/mcp${workloads[name].query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: ${accept}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${workloads[name].body.length}\r\n\r\n${workloads[name].body}`,
    ),
  admit,
  expectedRows: () => ({}),
});

const options = readOptions();
for (const name of ['list', 'list-full', 'call', 'call-any'] as const) await measure(workload(name), options);
