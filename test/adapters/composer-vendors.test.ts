// The composers that use vendors' SDKs, against a local server with the vendor's documented protocol.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { aiSdkComposer } from '../../adapters/composer/ai-sdk.ts';
import { anthropicComposer } from '../../adapters/composer/anthropic.ts';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import type { ComposerAdapter, ComposeTask } from '../../plugins/templates/port/index.ts';

const answer = { subject: 'Welcome' };
const task: ComposeTask = {
  kind: 'template',
  instructions: 'Write one mail.',
  prompt: 'The brief: "Hello"',
  answer: {
    type: 'object',
    properties: { subject: { type: 'string' } },
    required: ['subject'],
    additionalProperties: false,
  },
  embedded: () => undefined,
};

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: TestResponse['body'];
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A server that gives the test's answers, and records its requests. */
async function startVendor(reply: () => { status: number; body: unknown } | undefined) {
  const requests: Asked[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(await textOf(request)) });
    const vendorReply = reply();
    if (vendorReply === undefined) return;
    response
      .writeHead(vendorReply.status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(vendorReply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { asked: requests, url, close };
}

/** One vendor: a function that creates its adapter, its server's answers, and checks of its requests. */
interface Vendor {
  readonly make: (url: string) => ComposerAdapter;
  readonly success: unknown;
  readonly withoutAnswer: unknown;
  readonly check: (asked: Asked) => void;
  readonly modelOf: (asked: Asked) => string;
}

const vendors: Readonly<Record<string, Vendor>> = {
  anthropic: {
    make: (url) =>
      anthropicComposer({ apiKey: 'secret-key', model: 'first', models: { swift: 'vendor-swift' }, baseUrl: url }),
    success: {
      ...{
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'first',
        stop_reason: 'tool_use',
        stop_sequence: null,
      },
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'answer', input: answer }],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    withoutAnswer: {
      ...{
        id: 'msg_2',
        type: 'message',
        role: 'assistant',
        model: 'first',
        stop_reason: 'end_turn',
        stop_sequence: null,
      },
      content: [{ type: 'text', text: 'No.' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    check({ path, headers, body }) {
      assert.equal([path, headers.authorization], ['/v1/messages', 'Bearer secret-key']);
      assert.equal([body.system, body.messages], [task.instructions, [{ role: 'user', content: task.prompt }]]);
      assert.equal([body.tools[0].input_schema, body.tool_choice.name], [task.answer, body.tools[0].name]);
    },
    modelOf: ({ body }) => body.model,
  },
  'ai-sdk': {
    make(url) {
      const provider = createOpenAICompatible({
        name: 'local',
        baseURL: `${url}/v1`,
        apiKey: 'secret-key',
        supportsStructuredOutputs: true,
      });
      return aiSdkComposer({ model: provider('first'), models: { swift: provider('vendor-swift') } });
    },
    success: {
      ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'first' },
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify(answer) } }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
    withoutAnswer: {
      ...{ id: 'c2', object: 'chat.completion', created: 1, model: 'first' },
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'No.' } }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
    check({ path, headers, body }) {
      assert.equal([path, headers.authorization], ['/v1/chat/completions', 'Bearer secret-key']);
      assert.equal(
        body.messages.map(({ role }: { role: string }) => role),
        ['system', 'user'],
      );
      assert.match(JSON.stringify(body.messages[0].content), task.instructions);
      assert.equal(body.response_format.json_schema.schema, task.answer);
    },
    modelOf: ({ body }) => body.model,
  },
};

for (const [name, { make, success, withoutAnswer, check, modelOf }] of Object.entries(vendors)) {
  const test = suite(`the composer ${name}`);
  const never = new AbortController().signal;

  test("the composer sends the instructions, the prompt and the answer's schema, and returns the object", async () => {
    const server = await startVendor(() => ({ status: 200, body: success }));
    const composer = make(server.url);
    assert.equal(await composer.compose(task, { signal: never }), answer);
    assert.equal(await composer.compose({ ...task, model: 'swift' }, { signal: never }), answer);
    assert.equal(server.asked.map(modelOf), ['first', 'vendor-swift']);
    const [asked] = server.asked;
    assert.ok(asked !== undefined);
    check(asked);
    assert.equal(composer.models, ['swift']);
    await server.close();
  });

  test('the composer throws after one request if the vendor fails or gives no answer', async () => {
    const replies = [
      { status: 200, body: withoutAnswer },
      { status: 500, body: { error: { type: 'api_error', message: 'down' } } },
    ];
    const server = await startVendor(() => replies.shift());
    const composer = make(server.url);
    for (let count = 1; count <= 2; count += 1) {
      const result = await composer.compose(task, { signal: never }).then(
        () => 'answered',
        () => 'threw',
      );
      assert.equal([result, server.asked.length], ['threw', count]);
    }
    await server.close();
  });

  test('the composer ends when its signal is aborted', async () => {
    const ending = new AbortController();
    const server = await startVendor(() => void ending.abort(new Error('too late')));
    const result = await make(server.url)
      .compose(task, { signal: ending.signal })
      .then(
        () => 'answered',
        () => 'threw',
      );
    assert.is(result, 'threw');
    await server.close();
  });

  test.run();
}
