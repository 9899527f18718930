// A model's first afternoon with the standard plugins, through the official clients of both generations.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../core/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { serve } from './notes-service.ts';

const test = suite('tool endpoint with the standard plugins');

/** What both clients can do. */
interface AnyClient {
  connect(transport: never): Promise<void>;
  listTools(): Promise<{ tools: { name: string; inputSchema: { properties?: Record<string, unknown> } }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'afternoon', version: '1' };
const generations: Record<string, (url: URL, init: RequestInit) => readonly [unknown, unknown]> = {
  'the 1.x client': (url, requestInit) => [new Client(info), new StreamableHTTPClientTransport(url, { requestInit })],
  'the 2.x client on 2026-07-28': (url, requestInit) => [
    new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    new ModernTransport(url, { requestInit }),
  ],
};

for (const [name, make] of Object.entries(generations)) {
  test(`${name} writes a template, publishes it, sees it in the schema, sends once and gets a replay`, async () => {
    const under = await createTestService({ plugins: standardPlugins });
    const http = await serve(under.service.dispatch);
    const headers = { Authorization: `Bearer ${under.liveKey}` };
    const [made, transport] = make(new URL(`${http.origin}/v1/mcp`), { headers });
    const client = made as AnyClient;
    await client.connect(transport as never);
    const call = async (tool: string, args: Record<string, unknown>) =>
      (await client.callTool({ name: tool, arguments: args })) as {
        isError?: boolean;
        structuredContent: Record<string, unknown> & { error?: { code: string } };
        _meta?: Record<string, unknown>;
      };
    const done = async (tool: string, args: Record<string, unknown>) => {
      const result = await call(tool, args);
      assert.not.ok(result.isError, JSON.stringify(result.structuredContent));
      return result;
    };
    try {
      await client.listTools();
      const variables = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
      const body = '<p>Hello {{name}}</p>';
      await done('create_template', { key: 'welcome', mode: 'html', subject: 'Hello {{name}}', body, variables });
      await done('publish_template', { key: 'welcome' });
      const send = (await client.listTools()).tools.find((tool) => tool.name === 'send_transactional');
      assert.equal((send?.inputSchema.properties?.template as { enum?: string[] } | undefined)?.enum, ['welcome']);
      const order = {
        template: 'welcome',
        to: 'ada@example.com',
        variables: { name: 'Ada' },
        idempotency_key: 'order-1',
      };
      const first = await done('send_transactional', order);
      const again = await done('send_transactional', order);
      assert.equal(again.structuredContent, first.structuredContent);
      assert.is(again._meta?.['idempotent-replay'], true);
      const wrong = await call('send_transactional', { ...order, variables: {}, idempotency_key: 'order-2' });
      assert.is(wrong.structuredContent.error?.code, 'variables_invalid');
      await under.drain();
      assert.is(under.lastMailTo('ada@example.com')?.subject, 'Hello Ada');
      assert.is(
        (await done('read_send', { id: first.structuredContent.id })).structuredContent.id,
        first.structuredContent.id,
      );
    } finally {
      await client.close();
      await http.stop();
      await under.close();
    }
  });
}

test.run();
