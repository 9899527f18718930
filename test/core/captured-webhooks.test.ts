// The test kit stays in the process: it captures webhooks, and other requests fail. If a package is missing, the error names it.
// full-run: slow
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isOutgoingError } from '../../core/index.ts';
import { verifyWebhook } from '../../core/webhooks/verify.ts';
import { captureWebhooks, createTestService } from '../../hosts/testing/index.ts';
import { bareStandardPlugins as plugins } from '../support/plugins.ts';
import { startReceiver } from '../support/webhooks-bench.ts';

const test = suite('requests of a test service');

// This name has no DNS record, and nothing resolves it.
const url = 'https://shop.invalid/hooks';
const paidEvent = { type: 'order_paid', contact: { external_id: 'user_7' }, metadata: { total: 42 } };

test('the test service captures a webhook with its signature instead of posting it', async () => {
  const kit = await createTestService({ plugins });
  const { webhooks, events } = kit.service.as(kit.workspaceId);
  const { id, secret } = await webhooks.create({ url, events: ['order_paid'] });
  await events.emit(paidEvent);
  assert.equal(kit.webhooks.deliveries(), []);
  await kit.drain();
  const delivery = kit.webhooks.lastOf('order_paid');
  assert.ok(delivery);
  assert.equal([delivery.url, delivery.status, kit.webhooks.deliveries().length], [url, 200, 1]);
  assert.equal(verifyWebhook({ ...delivery, secret, now: kit.now() }), delivery.event);
  assert.is((await webhooks.deliveries({ id })).data[0]?.status, 'delivered');
  kit.webhooks.clear();
  assert.is(kit.webhooks.lastOf('order_paid'), undefined);
  await kit.close();
});

test('the test service retries a failing receiver, but refuses addresses in the local network', async () => {
  const kit = await createTestService({ plugins });
  const { webhooks, events } = kit.service.as(kit.workspaceId);
  await webhooks.create({ url, events: ['*'] });
  kit.webhooks.answerWith(500);
  await events.emit(paidEvent);
  await kit.drain();
  kit.webhooks.answerWith(204);
  kit.advanceClock(3_600_000);
  await kit.drain();
  const attempts = kit.webhooks.deliveries().filter(({ event }) => event.type === 'order_paid');
  assert.equal(
    attempts.map(({ status }) => status),
    [204, 500],
  );
  const refused = await webhooks.create({ url: 'https://10.0.0.1/', events: ['*'] }).catch((error: unknown) => error);
  assert.is((refused as { code?: string }).code, 'webhook_url_refused');
  await kit.close();
});

test('the test service posts webhooks if the option outgoing is set', async () => {
  const receiver = await startReceiver();
  const kit = await createTestService({ plugins, outgoing: {} });
  const { webhooks, events } = kit.service.as(kit.workspaceId);
  await webhooks.create({ url: receiver.url, events: ['order_paid'] });
  await events.emit(paidEvent);
  await kit.drain();
  assert.equal([receiver.bodies.length, kit.webhooks.deliveries().length], [1, 0]);
  await kit.close();
  await receiver.close();
});

test('no other request or connection of the test service leaves the process', async () => {
  const kit = await createTestService({ plugins });
  const { outgoing } = kit.service.core.ports;
  const faults = [
    await outgoing.request({ url: 'https://shop.invalid/logo.png', method: 'GET', headers: {} }).catch(String),
    await outgoing.connect({ host: 'smtp.shop.invalid', port: 587 }).catch((error: unknown) => error),
  ];
  assert.match(faults[0] as string, 'GET https://shop.invalid was not sent');
  assert.ok(isOutgoingError(faults[1], 'connection_failed'));
  assert.equal(captureWebhooks().deliveries(), []);
  await kit.close();
});

/** Runs a program in a process that cannot find better-sqlite3. Returns its output. */
async function withoutSqlite(program: string): Promise<string> {
  const hooks = `export const resolve = (name, context, next) => {
    if (name !== 'better-sqlite3') return next(name, context);
    throw Object.assign(new Error('Cannot find package better-sqlite3'), { code: 'ERR_MODULE_NOT_FOUND' });
  };`;
  const url = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
  const register = url(`import { register } from 'node:module'; register(${JSON.stringify(url(hooks))});`);
  const args = ['--import', 'tsx', '--import', register, '--input-type=module', '--eval', program];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim();
}

test('without better-sqlite3 the clock works, and the error of the kit names the package to install', async () => {
  const output = await withoutSqlite(`
    const { createSimulatedClock, createTestService } = await import('./hosts/testing/index.ts');
    console.log(createSimulatedClock(7).now());
    console.log(await createTestService({ plugins: [] }).catch(({ message }) => message));
  `);
  assert.equal(output.split('\n'), [
    '7',
    'createTestService keeps its database in memory by the package better-sqlite3, which is not installed: npm install --save-dev better-sqlite3. Or give it another one: createTestService({ plugins, storage })',
  ]);
});

test.run();
