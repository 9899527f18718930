// time-limit: 180
// webhooks listen and trigger, run as a user runs them: with the real command line, a service in a second process that delivers, and a
// receiver in a third process that verifies signatures with a public library.
// full-run: slow
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, RunningCall, sqliteConfig } from '../hosts/cli-bench.ts';

/** Responds 204 to a valid signature, 400 to an invalid signature, and 500 at /failing */
const receiverCode = `
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  let status = request.url === '/failing' ? 500 : 204;
  try {
    new Webhook(await readFile('secret.txt', 'utf8')).verify(body, request.headers);
  } catch {
    status = 400;
  }
  const { type, synthetic } = JSON.parse(body);
  console.log('received', type, synthetic === true ? 'synthetic' : 'real', status);
  response.writeHead(status).end(status === 500 ? 'out of order' : undefined);
}).listen(0, '127.0.0.1', () => console.log('port', server.address().port + '.'));
`;

interface Context {
  project: ProjectFolder;
  receiver: RunningCall;
  port: string;
  /** The sandbox subscriptions, as the API returns them. */
  webhooks(): Promise<{ id: string; url: string; events: string[]; description: string | null }[]>;
}

const test = suite<Context>('webhooks commands');

test.before(async (context) => {
  const project = await createProjectFolder({
    'postrider.config.mjs': sqliteConfig(),
    'receiver.mjs': receiverCode,
  });
  await project.install('standardwebhooks');
  await project.json(['migrate']);
  await project.json(['workspaces', 'create', '--name', 'Acme', '--from', 'hello@acme.example']);
  const dev = project.start(['dev', '--no-watch'], { env: { PORT: '0' } });
  await dev.printed(/Ctrl-C stops it\./);
  const api = await dev.printed(/API +(http:\S+)/);
  const key = await dev.printed(/Sandbox key (\S+)/);
  const receiver = new RunningCall(project.folder, [], {}, join(project.folder, 'receiver.mjs'));
  const port = await receiver.printed(/port (\d+)\./);
  const webhooks = async () => {
    const response = await fetch(`${api}/webhooks`, { headers: { authorization: `Bearer ${key}` } });
    assert.is(response.status, 200);
    return ((await response.json()) as { data: Awaited<ReturnType<Context['webhooks']>> }).data;
  };
  Object.assign(context, { project, receiver, port, webhooks });
});

test.after(async ({ project, receiver }) => {
  await receiver.stop('SIGKILL');
  await project.remove();
});

/** Runs listen for the sandbox side, or for the live side with `live`, and gives its secret to the receiver. */
async function listen({ project }: Context, words: readonly string[], live = false): Promise<RunningCall> {
  const call = project.start(['webhooks', 'listen', ...words, ...(live ? [] : ['--sandbox'])]);
  await call.printed(/Press Ctrl-C to stop/);
  await project.write('secret.txt', await call.printed(/Signing secret: (\S+)/));
  return call;
}

test('listen forwards events to a local program, prints each attempt, and removes its webhook', async (context) => {
  const { project, receiver, port, webhooks } = context;
  const call = await listen(context, ['--forward-to', `localhost:${port}/hooks`, '--events', 'send.*, order_paid']);
  const [created, ...others] = await webhooks();
  assert.equal([created?.url, created?.events], [`http://localhost:${port}/hooks`, ['send.*', 'order_paid']]);
  assert.equal(others, []);
  await project.json(['send', 'receipt', '--to', 'ada@example.com', '--vars', '-'], {
    input: JSON.stringify({ name: 'Ada', order: 'A-1', total: '1.00 EUR' }),
  });
  await receiver.printed(/received send\.delivered synthetic 204/);
  await call.printed(/^\d\d:\d\d:\d\d {2}204 {2}\d+ ms {2}send\.delivered {2}dlv_\w+$/m);
  const { code } = await call.stop();
  assert.is(code, 0);
  assert.equal(await webhooks(), []);
});

test('a failed attempt is printed with its reason', async (context) => {
  const { project, receiver, port } = context;
  const call = await listen(context, ['--forward-to', `http://127.0.0.1:${port}/failing`]);
  const result = await project.json(['webhooks', 'trigger', 'send.bounced', '--sandbox']);
  assert.is(result.deliveries.length, 1);
  await receiver.printed(/received send\.bounced synthetic 500/);
  await call.printed(
    new RegExp(`500 {2}\\d+ ms {2}send\\.bounced {2}${result.deliveries[0].id} {2}The receiver answered 500`),
  );
  await call.stop('SIGTERM');
});

test('trigger posts to all subscribers of an event, or to one named webhook', async (context) => {
  const { project, receiver, port, webhooks } = context;
  const call = await listen(context, ['--forward-to', `127.0.0.1:${port}`, '--events', 'order_paid']);
  const [created] = await webhooks();
  const failure = await project.run(['webhooks', 'trigger', 'send.opened', '--sandbox']);
  assert.is(failure.code, 1);
  assert.match(failure.stderr, /No enabled sandbox webhook of this workspace subscribes to send\.opened\./);
  await project.json(['webhooks', 'trigger', 'order_paid', '--sandbox']);
  await receiver.printed(/received order_paid synthetic 204/);
  const result = await project.run(['webhooks', 'trigger', 'send.opened', '--sandbox', '--webhook', created?.id ?? '']);
  assert.match(result.stdout, new RegExp(`${created?.id} +http://127\\.0\\.0\\.1:${port} +dlv_`));
  await receiver.printed(/received send\.opened synthetic 204/);
  await call.printed(/send\.opened/);
  // The name is checked before any webhook, because no webhook can subscribe to it.
  const unknown = await project.run(['webhooks', 'trigger', 'send.opend', '--sandbox']);
  assert.is(unknown.code, 2);
  assert.match(unknown.stderr, /There is no event send\.opend\. Did you mean send\.opened\? The family send has /);
  await call.stop();
});

test('without --sandbox both commands use live webhooks', async (context) => {
  const { project, receiver, port, webhooks } = context;
  const call = await listen(context, ['--forward-to', `127.0.0.1:${port}/live`, '--events', 'send.opened'], true);
  assert.equal(await webhooks(), [], 'a sandbox key sees no live webhook');
  const sandboxRun = await project.run(['webhooks', 'trigger', 'send.opened', '--sandbox']);
  assert.is(sandboxRun.code, 1);
  const result = await project.json(['webhooks', 'trigger', 'send.opened']);
  assert.is(result.deliveries.length, 1);
  await call.printed(new RegExp(`204 {2}\\d+ ms {2}send\\.opened {2}${result.deliveries[0].id}`));
  await receiver.printed(/received send\.opened synthetic 204/);
  await call.stop();
});

test('the next call removes webhooks that a crash left behind, but no webhook of another terminal', async (context) => {
  const { port, webhooks } = context;
  const urls = async () => (await webhooks()).map(({ url }) => url.slice(-1)).sort();
  const forwardTo = (name: string) => ['--forward-to', `127.0.0.1:${port}/${name}`];
  const crashedListen = await listen(context, forwardTo('a'));
  const running = await listen(context, forwardTo('b'));
  await crashedListen.stop('SIGKILL');
  assert.equal(await urls(), ['a', 'b']);
  const next = await listen(context, forwardTo('c'));
  assert.match(next.stdout, 'Removed 1 webhook that an earlier call left behind.');
  assert.equal(await urls(), ['b', 'c']);
  await running.stop();
  await next.stop();
  assert.equal(await urls(), []);
});

test('a wrong URL or event name is reported, and no webhook is created', async ({ project, webhooks }) => {
  for (const [words, expected] of [
    [['--forward-to', 'http://example.com/hooks'], /webhook_url_refused/],
    [['--forward-to', 'localhost:4000', '--events', 'send.opend'], /There is no event send\.opend/],
    [['--forward-to', 'localhost:4000', '--events', ' , '], /--events is empty/],
    [[], /forward-to/],
  ] as const) {
    const { code, stderr } = await project.run(['webhooks', 'listen', ...words]);
    assert.ok(code === 1 || code === 2, String(code));
    assert.match(stderr, expected);
  }
  assert.equal(await webhooks(), []);
});

test.run();
