// A typical first session of a model with the standard plugins, through the official clients of both generations.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { generations } from './mcp-generations.ts';
import { serve } from './notes-service.ts';

const test = suite('MCP endpoint with the standard plugins');

const generationName = ['the 1.x client', 'the 2.x client on 2026-07-28'] as const;

for (const name of generationName) {
  test(`${name} writes, publishes and sends a template, finds it in the schema, gets a replay, and reads the results`, async () => {
    const testService = await createTestService({ plugins: bareStandardPlugins });
    const http = await serve(testService.service.dispatch);
    const client = await generations[name]!(testService.liveKey, `${http.origin}/v1/mcp`);
    const call = async (tool: string, args: Record<string, unknown>) =>
      (await client.callTool({ name: tool, arguments: args })) as {
        isError?: boolean;
        structuredContent: Record<string, unknown> & { error?: { code: string } };
        _meta?: Record<string, unknown>;
      };
    const callOk = async (tool: string, args: Record<string, unknown>) => {
      const result = await call(tool, args);
      assert.not.ok(result.isError, JSON.stringify(result.structuredContent));
      return result;
    };
    try {
      await client.listTools();
      const variables = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
      const body = '<p>Hello {{name}}</p>';
      await callOk('create_template', { key: 'welcome', mode: 'html', subject: 'Hello {{name}}', body, variables });
      await callOk('publish_template', { key: 'welcome' });
      const send = (await client.listTools()).tools.find((tool) => tool.name === 'send_transactional');
      assert.equal((send?.inputSchema.properties as { template?: { enum?: string[] } } | undefined)?.template?.enum, [
        'welcome',
      ]);
      const order = {
        template: 'welcome',
        to: 'ada@example.com',
        variables: { name: 'Ada' },
        idempotency_key: 'order-1',
      };
      const first = await callOk('send_transactional', order);
      const repeat = await callOk('send_transactional', order);
      assert.equal(repeat.structuredContent, first.structuredContent);
      assert.is(repeat._meta?.['idempotent-replay'], true);
      const wrong = await call('send_transactional', { ...order, variables: {}, idempotency_key: 'order-2' });
      assert.is(wrong.structuredContent.error?.code, 'variables_invalid');
      await testService.drain();
      assert.is(testService.lastMailTo('ada@example.com')?.subject, 'Hello Ada');
      const sendUri = `postrider://sends/${String(first.structuredContent.id)}`;
      const uris = (await client.listResources()).resources.map(({ uri }) => uri);
      for (const uri of ['postrider://openapi.json', 'postrider://templates/welcome', sendUri])
        assert.ok(uris.includes(uri), uri);
      const readResource = async (uri: string) =>
        JSON.parse((await client.readResource({ uri })).contents[0]?.text ?? '');
      assert.is((await readResource('postrider://templates/welcome')).key, 'welcome');
      assert.is((await readResource(sendUri)).subject, 'Hello Ada');
      const { prompts } = await client.listPrompts();
      assert.ok(prompts.some((prompt) => prompt.name === 'try_template'));
      const ref = { type: 'ref/prompt', name: 'try_template' } as const;
      const { completion } = await client.complete({ ref, argument: { name: 'template', value: 'wel' } });
      assert.ok(completion.values.includes('welcome'));
      const { messages } = await client.getPrompt({ name: 'try_template', arguments: { template: 'welcome' } });
      assert.match(messages[0]?.content.text ?? '', /Try the template welcome out/);
      assert.is(
        (await callOk('read_send', { id: first.structuredContent.id })).structuredContent.id,
        first.structuredContent.id,
      );
    } finally {
      await client.close();
      await http.stop();
      await testService.close();
    }
  });
}

test.run();
