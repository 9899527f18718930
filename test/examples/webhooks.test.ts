// The receivers of docs/webhooks.md as separate programs that get deliveries from a running service; and other statements of the text.
// time-limit: 240
// full-run: slow
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createService } from 'postrider';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { nodeHost } from 'postrider/node';
import { standardPlugins } from 'postrider/plugins';
import { verifyWebhook } from 'postrider/webhooks';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signWebhook } from '../../core/unstable.ts';
import { freePort } from '../support/free-port.ts';
import { codeBlocks } from './documents.ts';

const receivers = ['express', 'express-json', 'fastify', 'by-hand'] as const;
const document = 'docs/webhooks.md';

const test = suite('receivers of webhooks');

/** A service with a workspace, in its own folder, that delivers events. */
async function openService() {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-webhooks-'));
  const service = createService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: join(folder, 'app.sqlite') }),
    mail: captureMail(),
    environment: 'development',
  });
  await service.migrate();
  const defaultFrom = { email: 'hello@acme.example', name: 'Acme' };
  const workspace = await service.workspaces.create({ name: 'Acme', defaultFrom });
  const close = async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  };
  return { service, workspaceId: workspace.id, calls: service.as(workspace.id), close };
}

/** Starts a receiver as a process. `until` waits for a text in its output. */
async function startReceiver(name: string, secret: string, port: number) {
  const child = spawn(process.execPath, ['--import', 'tsx', `examples/webhook-receivers/${name}.ts`], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const until = async (expected: string) => {
    while (!printed.includes(expected)) {
      if (child.exitCode !== null) throw new Error(`The receiver ended: ${printed}`);
      await wait(20);
    }
  };
  const close = async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  await until(`Listening on http://localhost:${port}/webhooks`);
  return { printed: () => printed, until, close };
}

for (const name of receivers) {
  test(`${name}: accepts what the service posts and nothing else`, async () => {
    const { service, calls, close } = await openService();
    const port = await freePort();
    const url = `http://localhost:${port}/webhooks`;
    const webhook = await calls.webhooks.create({ url, events: ['order_paid', 'send.*'] });
    const receiver = await startReceiver(name, webhook.secret, port);
    try {
      const contact = { external_id: 'u_1', email: 'ada@example.com' };
      const event = await calls.events.emit({ type: 'order_paid', contact, metadata: { amount: 42 } });
      await service.drain();
      await receiver.until('order_paid');
      const { data } = await calls.webhooks.deliveries({ id: webhook.id });
      assert.equal(
        data.map(({ status, event_id, attempts }) => [status, event_id, attempts.map((one) => one.status_code)]),
        [['delivered', event.id, [204]]],
      );

      const body = JSON.stringify({ id: 'evt_1', type: 'forged', source: 'custom', data: {} });
      const forged = signWebhook({
        eventId: 'evt_1',
        eventType: 'forged',
        deliveryId: 'dlv_1',
        timestampSeconds: Math.floor(Date.now() / 1000),
        body,
        secrets: [`whsec_${Buffer.alloc(30).toString('base64')}`],
        service: 'Postrider',
      });
      const headers = { ...forged, 'content-type': 'application/json' };
      assert.is((await fetch(url, { method: 'POST', headers, body })).status, 400);
      await receiver.until('Refused a webhook');
      assert.not.match(receiver.printed(), /forged/);
    } finally {
      await receiver.close();
      await close();
    }
  });
}

test('express: processes an event once, however often it arrives', async () => {
  const { service, calls, close } = await openService();
  const port = await freePort();
  const webhook = await calls.webhooks.create({ url: `http://localhost:${port}/webhooks`, events: ['*'] });
  const receiver = await startReceiver('express', webhook.secret, port);
  try {
    await calls.events.emit({ type: 'order_paid', contact: { email: 'ada@example.com' }, metadata: {} });
    await service.drain();
    const { data } = await calls.webhooks.deliveries({ id: webhook.id });
    const delivery = data.find(({ event_type }) => event_type === 'order_paid');
    assert.ok(delivery);
    await calls.webhooks.replay({ deliveryId: delivery.id });
    await service.drain();
    const after = (await calls.webhooks.deliveries({ id: webhook.id })).data.find(({ id }) => id === delivery.id);
    assert.equal(
      after?.attempts.map((one) => one.status_code),
      [204, 204],
    );
    // A later event shows that the awaited repetition does not come.
    await calls.webhooks.test({ webhook_id: webhook.id, event: 'send.bounced' });
    await service.drain();
    await receiver.until('bounced');
    assert.is(receiver.printed().match(/order_paid/g)?.length, 1);
  } finally {
    await receiver.close();
    await close();
  }
});

test('docs/webhooks.md shows the receivers as they are', async () => {
  const blocks = await codeBlocks(document, 'typescript');
  const files = await Promise.all(receivers.map((name) => readFile(`examples/webhook-receivers/${name}.ts`, 'utf8')));
  assert.equal(blocks, files);
});

test('the curl call in docs/webhooks.md creates a webhook', async () => {
  const { service, workspaceId, close } = await openService();
  const server = createServer(nodeHost(service));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { secret } = await service.keys.create({ workspaceId, name: 'setup', preset: 'full' });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const calls = await codeBlocks(document, 'sh');
    assert.is(calls.length, 1);
    const line = calls.join('').replace('http://127.0.0.1:3000', origin);
    assert.ok(line.includes(origin));
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, KEY: secret } });
    const webhook = JSON.parse(stdout) as { secret: string; events: string[] };
    assert.match(webhook.secret, /^whsec_/);
    assert.equal(webhook.events, ['send.*', 'order_paid']);
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await close();
  }
});

test('the test vector is correct for our verification and for the public library', async () => {
  const text = await readFile(document, 'utf8');
  const [body = '', signatures = ''] = (await codeBlocks(document, 'text')).map((block) => block.trimEnd());
  const [, secret = '', timestamp = '', id = ''] =
    /secret `(whsec_[^`]+)`, the timestamp `(\d+)`, the id\s+`(evt_[^`]+)`/.exec(text) ?? [];
  const signed = signWebhook({
    eventId: id,
    eventType: 'order_paid',
    deliveryId: 'dlv_1',
    timestampSeconds: Number(timestamp),
    body,
    secrets: [secret],
    service: 'Postrider',
  });
  const lines = ['webhook-signature', 'X-Postrider-Signature'].map((name) => `${name}: ${signed[name]}`);
  assert.is(signatures, lines.join('\n'));
  const standard = new StandardWebhook(secret).sign(id, new Date(Number(timestamp) * 1000), body);
  assert.ok(signatures.includes(`webhook-signature: ${standard}`));
  const event = verifyWebhook({ body, headers: signed, secret, now: Number(timestamp) * 1000 });
  assert.equal(event, JSON.parse((await codeBlocks(document, 'json'))[0] ?? ''));
});

test('docs/webhooks.md names every reason', async () => {
  const text = await readFile(document, 'utf8');
  const source = await readFile('core/webhooks/verification-error.ts', 'utf8');
  const reasons = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, reason]) => reason);
  assert.ok(reasons.length > 5);
  for (const reason of reasons) assert.ok(text.includes(`\`${reason}\``), reason);
});

test.run();
