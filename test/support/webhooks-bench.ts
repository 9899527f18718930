// Webhooks in the console, and a receiver with scripted answers. For the tests of the pages of webhooks.
import { createServer, type Server } from 'node:http';
import type { MemberAccess } from '../../core/index.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { auditPlugin } from '../../plugins/audit/index.ts';
import { consolePlugin } from '../../plugins/console/index.ts';
import { webhooksPlugin } from '../../plugins/webhooks/index.ts';
import { closeServer, portOf } from './based-server.ts';
import { browserHeaders, formHeaders } from './console-bench.ts';
import { noRateLimits } from './mail-bench.ts';
import { type PageResponse, pageRequester } from './page-requester.ts';

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

/** A service under test with a receiver. */
export interface WebhooksBench extends TestService<'webhooks' | 'audit' | 'console'> {
  readonly receiver: ConsoleReceiver;
  /** The scopes of the person at the console. A test may change them. */
  readonly person: { scopes: MemberAccess['workspaces'][number]['scopes'] };
  /** Requests a page of the workspace as a browser. */
  page(path: string): Promise<PageResponse>;
  /** Sends the form of an action, as its page has it. Returns what the browser gets. */
  act(path: string, action: string, fields?: Readonly<Record<string, string>>): Promise<PageResponse>;
  /** Subscribes the receiver, in the workspace under test. Returns the subscription's id. */
  subscribe(body?: object): Promise<string>;
  /** Posts a test event, and tries to deliver it. Returns the delivery's id. */
  deliver(webhookId: string, event: string): Promise<string>;
}

/** Opens a bench. The person at the console may do everything, unless a test says otherwise. */
export async function openWebhooksBench(): Promise<WebhooksBench> {
  const receiver = await startReceiver();
  const person: WebhooksBench['person'] = { scopes: 'full' };
  const ids: string[] = [];
  const test = await createTestService({
    plans: { pro: noRateLimits },
    outgoing: { allow: ['127.0.0.1'] },
    plugins: [webhooksPlugin(), auditPlugin(), consolePlugin()],
    access: () => ({
      member: 'u_sue',
      name: 'Sue',
      workspaces: ids.map((id) => ({ id, scopes: person.scopes })),
    }),
  });
  ids.push(test.workspaceId);
  const { service, workspaceId } = test;
  const ask = pageRequester(service, `/console/${workspaceId}`);
  return {
    ...test,
    receiver,
    person,
    page: (path) => ask(path, browserHeaders),
    async act(path, action, fields = {}) {
      const { text } = await ask(path, browserHeaders);
      const form = new RegExp(`name="action" value="${action}"><input type="hidden" name="key" value="([^"]+)"`);
      const key = form.exec(text)?.[1] ?? '';
      return ask(path, formHeaders, 'POST', new URLSearchParams({ action, key, ...fields }).toString());
    },
    async subscribe(body = {}) {
      return (await service.as(workspaceId).webhooks.create({ url: receiver.url, events: ['*'], ...body })).id;
    },
    async deliver(webhookId, event) {
      const { id } = await service.as(workspaceId).webhooks.test({ webhook_id: webhookId, event });
      await test.drain();
      return id;
    },
    async close() {
      await test.close();
      await receiver.close();
    },
  };
}
