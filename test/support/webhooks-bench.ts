// Webhooks, their console and a receiver with scripted answers. For the tests of webhooks and of their page.
import { createServer, type Server } from 'node:http';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import { bodyBytes } from '../../hosts/testing/body-bytes.ts';
import { createTestService, type ParsedJson, type TestService } from '../../hosts/testing/test-service.ts';
import { auditPlugin } from '../../plugins/audit/index.ts';
import { type WebhooksOptions, webhooksPlugin } from '../../plugins/webhooks/index.ts';
import { closeServer, portOf } from './based-server.ts';
import { noRateLimits } from './mail-bench.ts';

/** A receiver on a port of this machine. */
export interface ConsoleReceiver {
  readonly url: string;
  /** Sets its answer from now on. */
  answer: { status: number; body: string };
  /** The received bodies, oldest first. */
  readonly bodies: string[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<ConsoleReceiver> {
  const bodies: string[] = [];
  const receiver = { answer: { status: 200, body: 'Thank you' } };
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(receiver.answer.status).end(receiver.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(server)}/hooks`;
  return Object.assign(receiver, { url, bodies, close: () => closeServer(server) });
}

/** An answer of the console. */
export interface ConsoleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: ParsedJson;
}

/** A service under test with a receiver. */
export interface WebhooksBench extends TestService<'webhooks' | 'audit'> {
  readonly receiver: ConsoleReceiver;
  /** Requests a path below /webhooks-console, from this machine unless the headers or the address name another client. */
  ask(
    path: string,
    request?: { method?: string; headers?: Readonly<Record<string, string>>; address?: string },
  ): Promise<ConsoleResponse>;
  /** Subscribes the receiver, in the workspace under test unless another is named. Returns the subscription's id. */
  subscribe(body?: object, workspaceId?: string): Promise<string>;
  /** Posts a test event, and tries to deliver it. Returns the delivery's id. */
  deliver(webhookId: string, event: string): Promise<string>;
}

/** Opens a bench. `console` is the plugin's option. */
export async function openWebhooksBench(
  console: WebhooksOptions['console'] | 'none' = {},
  options: Partial<ServiceOptions<'webhooks' | 'audit'>> = {},
): Promise<WebhooksBench> {
  const receiver = await startReceiver();
  const plugin = webhooksPlugin(console === 'none' || console === undefined ? {} : { console });
  const test = await createTestService({
    plans: { pro: noRateLimits },
    outgoing: { allow: ['127.0.0.1'] },
    ...options,
    plugins: [plugin, auditPlugin()],
  });
  return {
    ...test,
    receiver,
    async ask(path, { method = 'GET', headers = {}, address = '127.0.0.1' } = {}) {
      const response = await test.service.dispatch({
        method,
        url: `/webhooks-console${path}`,
        headers: { host: 'localhost:3000', ...headers },
        body: undefined,
        address,
      });
      const text = (await bodyBytes(response.body)).toString('utf8');
      return {
        status: response.status,
        headers: response.headers,
        text,
        get json(): ParsedJson {
          return JSON.parse(text);
        },
      };
    },
    async subscribe(body = {}, workspaceId = test.workspaceId) {
      const subscription = { url: receiver.url, events: ['*'], ...body };
      return (await test.service.as(workspaceId).webhooks.create(subscription)).id;
    },
    async deliver(webhookId, event) {
      const { id } = await test.service.as(test.workspaceId).webhooks.test({ webhook_id: webhookId, event });
      await test.drain();
      return id;
    },
    async close() {
      await test.close();
      await receiver.close();
    },
  };
}
